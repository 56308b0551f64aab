package io.kvrouter.http.template.syntax;

import io.kvrouter.http.template.syntax.Token.Kind;
import java.util.List;

/** The tokens of a template, read one after the other. */
final class TokenStream {
    private final List<Token> tokens;
    private int at;

    TokenStream(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token current() {
        return tokens.get(at);
    }

    Token look() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    /** The current token, which is passed. The end is never passed. */
    Token next() {
        Token token = current();
        if (token.kind() != Kind.END) {
            at++;
        }
        return token;
    }

    boolean skipName(String name) {
        boolean found = current().isName(name);
        if (found) {
            next();
        }
        return found;
    }

    boolean skipOperator(String operator) {
        boolean found = current().isOperator(operator);
        if (found) {
            next();
        }
        return found;
    }

    Token expect(Kind kind) {
        if (current().kind() != kind) {
            throw unexpected("expected token " + kind);
        }
        return next();
    }

    void expectName(String name) {
        if (!skipName(name)) {
            throw unexpected("expected token '" + name + "'");
        }
    }

    void expectOperator(String operator) {
        if (!skipOperator(operator)) {
            throw unexpected("expected token '" + operator + "'");
        }
    }

    TemplateSyntaxException unexpected(String expectation) {
        Token token = current();
        String got = token.kind() == Kind.END ? "end of template" : token.kind() + " '" + token.text() + "'";
        return new TemplateSyntaxException(expectation + ", got " + got, token.line());
    }
}
