package io.kvrouter.http.template.syntax;

import io.kvrouter.http.template.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a template: text, printed values, and statements by their tags. */
public final class StatementParser {
    private static final int MOST_NESTED = 100;

    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final TargetParser targets;
    private int depth;

    private StatementParser(String template) {
        this.tokens = new TokenStream(Lexer.tokens(template));
        this.expressions = new ExpressionParser(tokens);
        this.targets = new TargetParser(tokens, expressions);
    }

    /**
     * Parses a template.
     *
     * @throws TemplateSyntaxException if it is none
     */
    public static List<Stmt> parse(String template) {
        return new StatementParser(template).statements(Set.of());
    }

    /** Statements up to one of the tags given, whose name is then the current token; none given: to the end. */
    private List<Stmt> statements(Set<String> ends) {
        List<Stmt> statements = new ArrayList<>();
        if (++depth > MOST_NESTED) {
            throw new TemplateSyntaxException(
                    "statements nested too deeply", tokens.current().line());
        }
        while (tokens.current().kind() != Kind.END) {
            Token token = tokens.next();
            switch (token.kind()) {
                case DATA -> statements.add(new Stmt.Text(token.text(), token.line()));
                case VARIABLE_BEGIN -> {
                    statements.add(new Stmt.Print(expressions.tuple(true, Set.of(), false), token.line()));
                    tokens.expect(Kind.VARIABLE_END);
                }
                default -> {
                    if (ends.contains(tokens.current().text())) {
                        depth--;
                        return statements;
                    }
                    statement(statements);
                    tokens.expect(Kind.BLOCK_END);
                }
            }
        }
        if (!ends.isEmpty()) {
            throw tokens.unexpected("expected one of the tags " + ends);
        }
        return statements;
    }

    /** The body of a tag that has begun, up to the end tag, which is passed. */
    private List<Stmt> body(String end) {
        List<Stmt> body = branch(Set.of(end));
        tokens.next();
        return body;
    }

    private List<Stmt> branch(Set<String> ends) {
        tokens.skipOperator(":");
        tokens.expect(Kind.BLOCK_END);
        return statements(ends);
    }

    private void statement(List<Stmt> into) {
        Token tag = tokens.expect(Kind.NAME);
        int line = tag.line();
        switch (tag.text()) {
            case "if" -> into.add(conditional(line));
            case "for" -> into.add(loop(line));
            case "set" -> into.add(set(line));
            case "macro" -> {
                String name = tokens.expect(Kind.NAME).text();
                into.add(new Stmt.Macro(name, targets.signature(), body("endmacro"), line));
            }
            case "call" -> into.add(callBlock(line));
            case "filter" -> into.add(new Stmt.FilterBlock(filters(null), body("endfilter"), line));
            case "with" -> into.add(with(line));
            case "generation" -> into.add(new Stmt.Generation(body("endgeneration"), line));
            case "break" -> into.add(new Stmt.Break(line));
            case "continue" -> into.add(new Stmt.Continue(line));
            case "print" -> print(into, line);
            default -> throw new TemplateSyntaxException("Encountered unknown tag '" + tag.text() + "'.", line);
        }
    }

    private void print(List<Stmt> into, int line) {
        boolean first = true;
        while (tokens.current().kind() != Kind.BLOCK_END) {
            if (!first) {
                tokens.expectOperator(",");
            }
            into.add(new Stmt.Print(expressions.expression(), line));
            first = false;
        }
    }

    private Stmt.If conditional(int line) {
        Set<String> ends = Set.of("elif", "else", "endif");
        Expr condition = expressions.tuple(false, Set.of(), false);
        List<Stmt> body = branch(ends);
        List<Stmt.If> others = new ArrayList<>();
        while (tokens.current().isName("elif")) {
            int otherLine = tokens.next().line();
            Expr other = expressions.tuple(false, Set.of(), false);
            others.add(new Stmt.If(other, branch(ends), List.of(), List.of(), otherLine));
        }
        List<Stmt> otherwise = tokens.next().isName("else") ? body("endif") : List.of();
        return new Stmt.If(condition, body, others, otherwise, line);
    }

    private Stmt loop(int line) {
        Target target = targets.target(false, Set.of("in"));
        tokens.expectName("in");
        Expr items = expressions.tuple(false, Set.of("recursive"), false);
        Expr condition = tokens.skipName("if") ? expressions.expression() : null;
        var head = new Stmt.Loop(target, items, condition, tokens.skipName("recursive"));
        List<Stmt> body = branch(Set.of("endfor", "else"));
        List<Stmt> otherwise = tokens.next().isName("else") ? body("endfor") : List.of();
        return new Stmt.For(head, body, otherwise, line);
    }

    private Stmt set(int line) {
        Target target = targets.target(true, Set.of());
        if (tokens.skipOperator("=")) {
            return new Stmt.Set(target, expressions.tuple(true, Set.of(), false), line);
        }
        Expr.Filter filter = null;
        while (tokens.skipOperator("|")) {
            filter = expressions.primary().filter(filter);
        }
        return new Stmt.SetBlock(target, filter, body("endset"), line);
    }

    private Expr.Filter filters(Expr.@Nullable Filter input) {
        Expr.Filter filter = expressions.primary().filter(input);
        return tokens.skipOperator("|") ? filters(filter) : filter;
    }

    private Stmt callBlock(int line) {
        Stmt.Signature signature = tokens.current().isOperator("(") ? targets.signature() : Stmt.Signature.NONE;
        if (expressions.expression() instanceof Expr.Call call) {
            return new Stmt.CallBlock(signature, call, body("endcall"), line);
        }
        throw new TemplateSyntaxException("expected call", line);
    }

    private Stmt with(int line) {
        List<Target> names = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        while (tokens.current().kind() != Kind.BLOCK_END) {
            if (!names.isEmpty()) {
                tokens.expectOperator(",");
            }
            names.add(targets.target(false, Set.of()));
            tokens.expectOperator("=");
            values.add(expressions.expression());
        }
        return new Stmt.With(names, values, body("endwith"), line);
    }
}
