package io.kvrouter.http.template.value;

/** The class of exception that Python and jinja2 would raise. */
public enum ErrorKind {
    TEMPLATE("TemplateError"),
    SYNTAX("TemplateSyntaxError"),
    RUNTIME("TemplateRuntimeError"),
    UNDEFINED("UndefinedError"),
    SECURITY("SecurityError"),
    FILTER_ARGUMENT("FilterArgumentError"),
    TYPE("TypeError"),
    VALUE("ValueError"),
    KEY("KeyError"),
    INDEX("IndexError"),
    ATTRIBUTE("AttributeError"),
    ZERO_DIVISION("ZeroDivisionError"),
    OVERFLOW("OverflowError"),
    RECURSION("RecursionError"),
    ASSERTION("AssertionError"),
    /** A limit of this interpreter, which jinja2 does not have. */
    LIMIT("LimitError");

    private final String pythonName;

    ErrorKind(String pythonName) {
        this.pythonName = pythonName;
    }

    /** The exception's class name in Python. */
    public String pythonName() {
        return pythonName;
    }
}
