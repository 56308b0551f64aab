package io.kvrouter.http.template.syntax;

import io.kvrouter.http.template.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What can be assigned to, and the parameters of macros. */
final class TargetParser {
    private static final Set<String> CONSTANTS = Set.of("true", "false", "none", "True", "False", "None");

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    TargetParser(TokenStream tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /**
     * Reads a target, or several with commas between.
     *
     * @param members whether {@code namespace.attribute} is one
     */
    Target target(boolean members, Set<String> endNames) {
        List<Target> targets = new ArrayList<>();
        boolean several = false;
        while (!isEnd(endNames)) {
            targets.add(single(members));
            if (!tokens.skipOperator(",")) {
                break;
            }
            several = true;
        }
        if (targets.isEmpty()) {
            throw tokens.unexpected("Expected an expression");
        }
        return several ? new Target.Several(targets) : targets.get(0);
    }

    private boolean isEnd(Set<String> endNames) {
        Token token = tokens.current();
        return token.kind() == Kind.BLOCK_END
                || token.isOperator(")")
                || token.isOperator("=")
                || (token.kind() == Kind.NAME && endNames.contains(token.text()));
    }

    private Target single(boolean members) {
        if (tokens.skipOperator("(")) {
            Target inside = target(members, Set.of());
            tokens.expectOperator(")");
            return inside;
        }
        String name = name();
        if (members && tokens.skipOperator(".")) {
            return new Target.Member(name, tokens.expect(Kind.NAME).text());
        }
        return new Target.Variable(name);
    }

    private String name() {
        Token token = tokens.expect(Kind.NAME);
        if (CONSTANTS.contains(token.text())) {
            throw new TemplateSyntaxException("can't assign to '" + token.text() + "'", token.line());
        }
        return token.text();
    }

    Stmt.Signature signature() {
        tokens.expectOperator("(");
        List<String> parameters = new ArrayList<>();
        List<Expr> defaults = new ArrayList<>();
        while (!tokens.skipOperator(")")) {
            if (!parameters.isEmpty()) {
                tokens.expectOperator(",");
            }
            parameters.add(name());
            if (tokens.skipOperator("=")) {
                defaults.add(expressions.expression());
            } else if (!defaults.isEmpty()) {
                throw tokens.unexpected("non-default argument follows default argument");
            }
        }
        return new Stmt.Signature(parameters, defaults);
    }
}
