package io.kvrouter.http.template.syntax;

import io.kvrouter.http.template.syntax.Token.Kind;
import io.kvrouter.http.template.value.None;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What operators work on: literals, names, and what follows one (attributes, items, calls, filters, tests). */
final class PrimaryParser {
    private static final Expr NO_BOUND = new Expr.Const(None.NONE);
    private static final Set<String> NO_ARGUMENT = Set.of("else", "or", "and");

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    PrimaryParser(TokenStream tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    Expr primary() {
        Token token = tokens.current();
        return switch (token.kind()) {
            case NAME -> name(tokens.next().text());
            case STRING -> strings();
            case NUMBER -> new Expr.Const(tokens.next().value());
            case OPERATOR -> bracketed(token.text());
            default -> throw tokens.unexpected("expected an expression");
        };
    }

    private static Expr name(String name) {
        return switch (name) {
            case "true", "True" -> new Expr.Const(true);
            case "false", "False" -> new Expr.Const(false);
            case "none", "None" -> NO_BOUND;
            default -> new Expr.Name(name);
        };
    }

    private Expr strings() {
        var text = new StringBuilder();
        while (tokens.current().kind() == Kind.STRING) {
            text.append(tokens.next().text());
        }
        return new Expr.Const(text.toString());
    }

    private Expr bracketed(String bracket) {
        return switch (bracket) {
            case "(" -> parenthesized();
            case "[" -> list();
            case "{" -> dict();
            default -> throw tokens.unexpected("expected an expression");
        };
    }

    private Expr parenthesized() {
        tokens.next();
        Expr inside = expressions.tuple(true, Set.of(), true);
        tokens.expectOperator(")");
        return inside;
    }

    private Expr list() {
        tokens.next();
        List<Expr> items = new ArrayList<>();
        while (!tokens.skipOperator("]")) {
            if (!items.isEmpty()) {
                tokens.expectOperator(",");
                if (tokens.skipOperator("]")) {
                    break;
                }
            }
            items.add(expressions.expression());
        }
        return new Expr.ListOf(items);
    }

    private Expr dict() {
        tokens.next();
        List<Expr> keys = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        while (!tokens.skipOperator("}")) {
            if (!keys.isEmpty()) {
                tokens.expectOperator(",");
                if (tokens.skipOperator("}")) {
                    break;
                }
            }
            keys.add(expressions.expression());
            tokens.expectOperator(":");
            values.add(expressions.expression());
        }
        return new Expr.DictOf(keys, values);
    }

    Expr postfix(Expr value) {
        Expr result = value;
        while (true) {
            Token token = tokens.current();
            if (token.isOperator(".")) {
                result = dotted(result);
            } else if (token.isOperator("[")) {
                result = subscript(result);
            } else if (token.isOperator("(")) {
                result = new Expr.Call(result, arguments());
            } else {
                return result;
            }
        }
    }

    private Expr dotted(Expr owner) {
        tokens.next();
        Token name = tokens.next();
        if (name.kind() == Kind.NAME) {
            return new Expr.Attribute(owner, name.text());
        }
        if (name.value() instanceof Long) {
            return new Expr.Item(owner, new Expr.Const(name.value()));
        }
        throw new TemplateSyntaxException("expected name or number", name.line());
    }

    private Expr subscript(Expr owner) {
        tokens.next();
        List<Expr> keys = new ArrayList<>();
        Expr sliced = null;
        while (!tokens.skipOperator("]")) {
            if (!keys.isEmpty()) {
                tokens.expectOperator(",");
            }
            Expr first = tokens.current().isOperator(":") ? NO_BOUND : expressions.expression();
            if (tokens.current().isOperator(":")) {
                sliced = slice(owner, first);
            }
            keys.add(first);
        }
        if (sliced != null && keys.size() > 1) {
            throw tokens.unexpected("expected a single slice");
        }
        return sliced != null ? sliced : new Expr.Item(owner, keys.size() == 1 ? keys.get(0) : new Expr.TupleOf(keys));
    }

    private Expr slice(Expr owner, Expr start) {
        tokens.next();
        Expr stop = bound();
        return new Expr.Slice(owner, start, stop, tokens.skipOperator(":") ? bound() : NO_BOUND);
    }

    private Expr bound() {
        Token token = tokens.current();
        boolean none = token.isOperator(":") || token.isOperator("]") || token.isOperator(",");
        return none ? NO_BOUND : expressions.expression();
    }

    CallArguments arguments() {
        tokens.expectOperator("(");
        List<String> names = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        Expr moreValues = null;
        Expr moreNamed = null;
        while (!tokens.skipOperator(")")) {
            if (tokens.skipOperator("**")) {
                moreNamed = once(moreNamed, expressions.expression());
            } else if (tokens.skipOperator("*")) {
                moreValues = once(moreValues != null ? moreValues : moreNamed, expressions.expression());
            } else if (tokens.current().kind() == Kind.NAME && tokens.look().isOperator("=")) {
                names.add(tokens.next().text());
                tokens.next();
                values.add(once(moreNamed, expressions.expression()));
            } else {
                Expr before = names.isEmpty() ? (moreValues != null ? moreValues : moreNamed) : NO_BOUND;
                values.add(once(before, expressions.expression()));
            }
            if (!tokens.current().isOperator(")")) {
                tokens.expectOperator(",");
            }
        }
        return new CallArguments(names, values, moreValues, moreNamed);
    }

    /** An argument that must not come after the one before. */
    private Expr once(@Nullable Expr before, Expr argument) {
        if (before != null) {
            throw tokens.unexpected("invalid syntax for function call expression");
        }
        return argument;
    }

    Expr filters(Expr value) {
        Expr result = value;
        while (true) {
            Token token = tokens.current();
            if (token.isOperator("|")) {
                tokens.next();
                result = filter(result);
            } else if (token.isName("is")) {
                tokens.next();
                result = test(result);
            } else if (token.isOperator("(")) {
                result = new Expr.Call(result, arguments());
            } else {
                return result;
            }
        }
    }

    /** One filter, from its name on. */
    Expr.Filter filter(@Nullable Expr input) {
        String name = dottedName();
        CallArguments arguments = tokens.current().isOperator("(") ? arguments() : CallArguments.NONE;
        return new Expr.Filter(input, name, arguments);
    }

    private String dottedName() {
        var name = new StringBuilder(tokens.expect(Kind.NAME).text());
        while (tokens.skipOperator(".")) {
            name.append('.').append(tokens.expect(Kind.NAME).text());
        }
        return name.toString();
    }

    private Expr test(Expr input) {
        boolean negated = tokens.skipName("not");
        String name = dottedName();
        CallArguments arguments = CallArguments.NONE;
        if (tokens.current().isOperator("(")) {
            arguments = arguments();
        } else if (startsArgument(tokens.current())) {
            if (tokens.current().isName("is")) {
                throw tokens.unexpected("You cannot chain multiple tests with is");
            }
            arguments = new CallArguments(List.of(), List.of(postfix(primary())), null, null);
        }
        Expr test = new Expr.Test(input, name, arguments);
        return negated ? new Expr.Unary("not", test) : test;
    }

    private static boolean startsArgument(Token token) {
        return switch (token.kind()) {
            case NAME -> !NO_ARGUMENT.contains(token.text());
            case STRING, NUMBER -> true;
            case OPERATOR -> token.text().equals("[") || token.text().equals("{");
            default -> false;
        };
    }
}
