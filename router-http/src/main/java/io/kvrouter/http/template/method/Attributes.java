package io.kvrouter.http.template.method;

import io.kvrouter.http.template.format.BraceFormat;
import io.kvrouter.http.template.operator.Subscript;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyObject;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.Undefined;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code value.name} and {@code value[key]} as jinja2's immutable sandbox looks them up: attributes first for the dot,
 * items first for the brackets, the other as a fallback; what would change a list or dict, or lead into Python's
 * insides, is there but can't be used.
 */
public final class Attributes {
    /** The lookups as {@code str.format} needs them. */
    static final BraceFormat.Lookup LOOKUP = new BraceFormat.Lookup() {
        @Override
        public Object attribute(Object owner, String name) {
            return get(owner, name);
        }

        @Override
        public Object item(Object owner, Object key) {
            return Attributes.item(owner, key);
        }
    };

    private static final Set<String> CHANGES_LIST =
            Set.of("append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove");
    private static final Set<String> CHANGES_DICT = Set.of("clear", "pop", "popitem", "setdefault", "update");
    /** Some of what every Python object has. */
    private static final Set<String> INSIDES = Set.of(
            "__class__",
            "__doc__",
            "__init__",
            "__new__",
            "__dir__",
            "__eq__",
            "__ne__",
            "__hash__",
            "__str__",
            "__repr__",
            "__format__",
            "__reduce__",
            "__reduce_ex__",
            "__getattribute__",
            "__setattr__",
            "__delattr__",
            "__sizeof__",
            "__subclasshook__",
            "__init_subclass__",
            "__getstate__");

    private Attributes() {}

    /** Whether {@code dict.name} is the item of that name, and nothing else, if the dict has it. */
    public static boolean isItemOfDict(String name) {
        return ContainerMethods.ofDict(name) == null && !CHANGES_DICT.contains(name) && !INSIDES.contains(name);
    }

    /** {@code owner.name}. */
    public static Object get(Object owner, String name) {
        Object value = attribute(owner, name);
        if (value == null) {
            value = owner instanceof PyObject ? null : Subscript.item(owner, name);
        }
        return value == null ? Undefined.member(owner, name) : value;
    }

    /** {@code owner[key]}. */
    public static Object item(Object owner, Object key) {
        Object value = Subscript.item(owner, key);
        if (value == null && key instanceof String name) {
            value = attribute(owner, name);
        }
        return value == null ? Undefined.member(owner, key) : value;
    }

    /** The attribute, or null if the value has none of that name. */
    public static @Nullable Object attribute(Object owner, String name) {
        Object value = switch (owner) {
            case String text -> bound(text, StringMethods.get(name));
            case Markup markup -> bound(markup, MarkupMethods.get(name));
            case PyDict dict ->
                CHANGES_DICT.contains(name)
                        ? Undefined.unsafe(owner, name)
                        : bound(dict, ContainerMethods.ofDict(name));
            case List<?> list ->
                CHANGES_LIST.contains(name)
                        ? Undefined.unsafe(owner, name)
                        : bound(list, ContainerMethods.ofList(name));
            case PyTuple tuple -> bound(tuple.items(), ContainerMethods.ofTuple(name));
            case PyObject object -> object.attribute(name);
            case Undefined undefined -> throw undefined.error();
            case Long number -> NumberMethods.ofInteger(number, name);
            case BigInteger number -> NumberMethods.ofInteger(number, name);
            case Boolean truth -> NumberMethods.ofInteger(truth ? 1L : 0L, name);
            case Double number -> NumberMethods.ofFloat(number, name);
            default -> null;
        };
        return value == null && INSIDES.contains(name) ? Undefined.unsafe(owner, name) : value;
    }

    private static <T> @Nullable Object bound(T owner, @Nullable Method<T> method) {
        return method == null ? null : new BoundMethod<>(owner, method);
    }
}
