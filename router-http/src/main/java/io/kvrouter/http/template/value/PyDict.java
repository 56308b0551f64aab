package io.kvrouter.http.template.value;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Python's dict: ordered, and with Python's equality of keys (1, 1.0 and True are one key). Templates can't change one;
 * it is filled while it is made.
 */
public final class PyDict {
    private final Map<Object, Object> values;
    /** The keys as they were written, where that differs from the form they are looked up by. */
    private @Nullable Map<Object, Object> written;

    public PyDict() {
        this.values = new LinkedHashMap<>();
    }

    public PyDict(PyDict other) {
        this.values = new LinkedHashMap<>(other.values);
        this.written = other.written == null ? null : new LinkedHashMap<>(other.written);
    }

    public @Nullable Object get(Object key) {
        return key instanceof String ? values.get(key) : values.get(normal(key));
    }

    /** The value of a key, None for one that is not there. */
    public Object getOrNone(Object key) {
        Object value = get(key);
        return value == null ? None.NONE : value;
    }

    public void put(Object key, Object value) {
        Object normal = normal(key);
        if (values.put(normal, value) == null && !normal.equals(key)) {
            if (written == null) {
                written = new LinkedHashMap<>();
            }
            written.put(normal, key);
        }
    }

    public int size() {
        return values.size();
    }

    public void forEach(BiConsumer<Object, Object> action) {
        values.forEach((normal, value) -> action.accept(asWritten(normal), value));
    }

    public List<Object> keys() {
        List<Object> keys = new ArrayList<>(values.size());
        values.keySet().forEach(normal -> keys.add(asWritten(normal)));
        return keys;
    }

    public List<Object> values() {
        return new ArrayList<>(values.values());
    }

    /** Pairs of key and value. */
    public List<Object> items() {
        List<Object> items = new ArrayList<>(values.size());
        forEach((key, value) -> items.add(PyTuple.of(key, value)));
        return items;
    }

    private Object asWritten(Object normal) {
        return written == null ? normal : written.getOrDefault(normal, normal);
    }

    /**
     * The form under which equal keys are equal in Java too; the same for members of sets.
     *
     * @throws PythonError if the value is not hashable
     */
    public static Object normal(Object key) {
        return switch (key) {
            case Boolean truth -> truth ? 1L : 0L;
            case Double number when isLong(number) -> (long) number.doubleValue();
            case BigInteger big when big.bitLength() < Long.SIZE -> big.longValue();
            case Markup markup -> markup.text();
            case PyTuple tuple -> tuple.items().stream().map(PyDict::normal).toList();
            case PyDict dict -> throw unhashable(key);
            case List<?> list -> throw unhashable(key);
            case DictView view when view.kind() != DictView.Kind.VALUES -> throw unhashable(key);
            default -> key;
        };
    }

    private static boolean isLong(double number) {
        return number == Math.rint(number) && Math.abs(number) < 0x1p63;
    }

    private static PythonError unhashable(Object key) {
        return PythonError.type("unhashable type: '" + TypeName.of(key) + "'");
    }
}
