package io.kvrouter.http.template.syntax;

/**
 * A token of a template.
 *
 * @param text as written; of data and strings the meaning
 * @param value of numbers and strings
 */
record Token(Kind kind, String text, Object value, int line) {
    enum Kind {
        DATA,
        VARIABLE_BEGIN,
        VARIABLE_END,
        BLOCK_BEGIN,
        BLOCK_END,
        NAME,
        STRING,
        NUMBER,
        OPERATOR,
        END
    }

    Token(Kind kind, String text, int line) {
        this(kind, text, text, line);
    }

    boolean isName(String name) {
        return kind == Kind.NAME && text.equals(name);
    }

    boolean isOperator(String operator) {
        return kind == Kind.OPERATOR && text.equals(operator);
    }
}
