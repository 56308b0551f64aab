package io.kvrouter.http.template.syntax;

import io.kvrouter.http.template.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Expressions, by jinja2's grammar: from the loosest operator (the inline if) to the tightest. */
final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", ">", ">=", "<", "<=");
    private static final int MOST_NESTED = 200;

    private final TokenStream tokens;
    private final PrimaryParser primary;
    private int depth;

    ExpressionParser(TokenStream tokens) {
        this.tokens = tokens;
        this.primary = new PrimaryParser(tokens, this);
    }

    PrimaryParser primary() {
        return primary;
    }

    Expr expression() {
        if (++depth > MOST_NESTED) {
            throw new TemplateSyntaxException(
                    "an expression nested too deeply", tokens.current().line());
        }
        Expr value = or();
        while (tokens.skipName("if")) {
            Expr condition = or();
            value = new Expr.Conditional(condition, value, tokens.skipName("else") ? expression() : null);
        }
        depth--;
        return value;
    }

    /** Without an inline if: what a condition or a loop's items are. */
    Expr or() {
        Expr left = and();
        while (tokens.skipName("or")) {
            left = new Expr.Or(left, and());
        }
        return left;
    }

    private Expr and() {
        Expr left = not();
        while (tokens.skipName("and")) {
            left = new Expr.And(left, not());
        }
        return left;
    }

    private Expr not() {
        return tokens.skipName("not") ? new Expr.Unary("not", not()) : comparison();
    }

    private Expr comparison() {
        Expr first = sum();
        List<Expr.Operand> rest = new ArrayList<>();
        while (true) {
            if (tokens.current().kind() == Kind.OPERATOR
                    && COMPARISONS.contains(tokens.current().text())) {
                rest.add(new Expr.Operand(tokens.next().text(), sum()));
            } else if (tokens.skipName("in")) {
                rest.add(new Expr.Operand("in", sum()));
            } else if (tokens.current().isName("not") && tokens.look().isName("in")) {
                tokens.next();
                tokens.next();
                rest.add(new Expr.Operand("not in", sum()));
            } else {
                return rest.isEmpty() ? first : new Expr.Compare(first, rest);
            }
        }
    }

    private Expr sum() {
        return leftAssociative(this::concatenation, Set.of("+", "-"));
    }

    private Expr concatenation() {
        List<Expr> parts = new ArrayList<>();
        do {
            parts.add(product());
        } while (tokens.skipOperator("~"));
        return parts.size() == 1 ? parts.get(0) : new Expr.Concat(parts);
    }

    private Expr product() {
        return leftAssociative(this::power, Set.of("*", "/", "//", "%"));
    }

    /** Associates to the left, unlike in Python. */
    private Expr power() {
        return leftAssociative(() -> unary(true), Set.of("**"));
    }

    private Expr leftAssociative(Supplier<Expr> operand, Set<String> operators) {
        Expr left = operand.get();
        while (tokens.current().kind() == Kind.OPERATOR
                && operators.contains(tokens.current().text())) {
            String operator = tokens.next().text();
            left = new Expr.Binary(operator, left, operand.get());
        }
        return left;
    }

    private Expr unary(boolean withFilters) {
        Token token = tokens.current();
        Expr value;
        if (token.isOperator("-") || token.isOperator("+")) {
            tokens.next();
            value = new Expr.Unary(token.text(), unary(false));
        } else {
            value = primary.primary();
        }
        value = primary.postfix(value);
        return withFilters ? primary.filters(value) : value;
    }

    /** Expressions with commas between are a tuple, a single one is itself. */
    Expr tuple(boolean conditional, Set<String> endNames, boolean mayBeEmpty) {
        List<Expr> items = new ArrayList<>();
        boolean several = false;
        while (!isTupleEnd(endNames)) {
            items.add(conditional ? expression() : or());
            if (!tokens.skipOperator(",")) {
                break;
            }
            several = true;
        }
        if (items.isEmpty() && !mayBeEmpty) {
            throw tokens.unexpected("Expected an expression");
        }
        return items.isEmpty() || several ? new Expr.TupleOf(items) : items.get(0);
    }

    private boolean isTupleEnd(Set<String> endNames) {
        Token token = tokens.current();
        return token.kind() == Kind.VARIABLE_END
                || token.kind() == Kind.BLOCK_END
                || token.isOperator(")")
                || (token.kind() == Kind.NAME && endNames.contains(token.text()));
    }
}
