package io.kvrouter.http.template.value;

import java.math.BigInteger;
import java.util.List;

/** The name of a value's type in Python, for messages. */
public final class TypeName {
    private TypeName() {}

    public static String of(Object value) {
        return switch (value) {
            case String text -> "str";
            case Markup markup -> "Markup";
            case Boolean truth -> "bool";
            case Long integer -> "int";
            case BigInteger integer -> "int";
            case Double number -> "float";
            case None none -> "NoneType";
            case PyDict dict -> "dict";
            case PyTuple tuple -> "tuple";
            case List<?> list -> "list";
            case Undefined undefined -> "Undefined";
            case PyRange range -> "range";
            case DictView view -> view.kind().typeName();
            case PyIterator iterator -> "generator";
            case PyObject object -> object.typeName();
            default -> "builtin_function_or_method";
        };
    }
}
