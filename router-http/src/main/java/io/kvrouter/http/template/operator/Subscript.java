package io.kvrouter.http.template.operator;

import io.kvrouter.http.template.python.CodePoints;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyRange;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code value[key]} and {@code value[start:stop:step]}. */
public final class Subscript {
    private Subscript() {}

    /** The item, or null if there is none, or can be none. */
    public static @Nullable Object item(Object value, Object key) {
        return switch (value) {
            case PyDict dict -> isHashable(key) ? dict.get(key) : null;
            case List<?> list -> at(list, key);
            case PyTuple tuple -> at(tuple.items(), key);
            case PyRange range -> at(range.numbers(), key);
            case String text -> character(text, key);
            case Markup markup -> marked(character(markup.text(), key));
            case Undefined undefined -> throw undefined.error();
            default -> null;
        };
    }

    private static boolean isHashable(Object key) {
        return !(key instanceof PyDict) && !(key instanceof List<?>);
    }

    private static @Nullable Object at(List<?> items, Object key) {
        if (!Numbers.isInteger(key)) {
            return null;
        }
        int index = position(Numbers.asIndex(key), items.size());
        return index < 0 ? null : items.get(index);
    }

    private static @Nullable Object character(String text, Object key) {
        if (!Numbers.isInteger(key)) {
            return null;
        }
        int index = position(Numbers.asIndex(key), CodePoints.length(text));
        return index < 0 ? null : CodePoints.at(text, index);
    }

    private static @Nullable Object marked(@Nullable Object character) {
        return character instanceof String text ? new Markup(text) : null;
    }

    /** The index from the start, or -1 if it is beyond either end. */
    private static int position(int index, int length) {
        int fromStart = index < 0 ? index + length : index;
        return fromStart >= 0 && fromStart < length ? fromStart : -1;
    }

    /** A slice; bounds that are None are open. */
    public static Object slice(Object value, Object start, Object stop, Object step) {
        return switch (value) {
            case String text -> slice(text, Bounds.of(start, stop, step, CodePoints.length(text)));
            case Markup markup -> new Markup((String) slice(markup.text(), start, stop, step));
            case List<?> list -> slice(list, Bounds.of(start, stop, step, list.size()));
            case PyTuple tuple ->
                new PyTuple(slice(
                        tuple.items(),
                        Bounds.of(start, stop, step, tuple.items().size())));
            case PyRange range -> slice(range, Bounds.of(start, stop, step, range.length()));
            case Undefined undefined -> throw undefined.error();
            case PyDict dict -> throw PythonError.type("unhashable type: 'slice'");
            default -> throw PythonError.type("'" + TypeName.of(value) + "' object is not subscriptable");
        };
    }

    private static String slice(String text, Bounds bounds) {
        if (bounds.step() == 1) {
            return CodePoints.substring(text, bounds.start(), bounds.start() + bounds.count());
        }
        int[] characters = text.codePoints().toArray();
        var out = new StringBuilder();
        for (int i = 0; i < bounds.count(); i++) {
            out.appendCodePoint(characters[bounds.at(i)]);
        }
        return out.toString();
    }

    private static List<Object> slice(List<?> items, Bounds bounds) {
        List<Object> slice = new ArrayList<>(bounds.count());
        for (int i = 0; i < bounds.count(); i++) {
            slice.add(items.get(bounds.at(i)));
        }
        return slice;
    }

    private static PyRange slice(PyRange range, Bounds bounds) {
        long start = range.start() + bounds.start() * range.step();
        long step = range.step() * bounds.step();
        return new PyRange(start, start + bounds.count() * step, step);
    }

    /** The items that a slice takes: {@code count} of them, from {@code start} on, {@code step} apart. */
    private record Bounds(int start, int count, int step) {
        static Bounds of(Object start, Object stop, Object step, int length) {
            int by = step == None.NONE ? 1 : bound(step);
            if (by == 0) {
                throw PythonError.value("slice step cannot be zero");
            }
            int lowest = by > 0 ? 0 : -1;
            int highest = by > 0 ? length : length - 1;
            int from = start == None.NONE ? (by > 0 ? lowest : highest) : clamp(bound(start), length, lowest, highest);
            int to = stop == None.NONE ? (by > 0 ? highest : lowest) : clamp(bound(stop), length, lowest, highest);
            int span = by > 0 ? to - from : from - to;
            return new Bounds(from, span <= 0 ? 0 : (span - 1) / Math.abs(by) + 1, by);
        }

        private static int clamp(int index, int length, int lowest, int highest) {
            int fromStart = index < 0 ? index + length : index;
            return Math.clamp(fromStart, lowest, Math.max(lowest, highest));
        }

        private static int bound(Object value) {
            if (!Numbers.isInteger(value)) {
                throw PythonError.type("slice indices must be integers or None or have an __index__ method");
            }
            return Numbers.asIndex(value);
        }

        int at(int i) {
            return start + i * step;
        }
    }
}
