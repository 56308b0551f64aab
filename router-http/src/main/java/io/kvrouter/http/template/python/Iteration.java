package io.kvrouter.http.template.python;

import io.kvrouter.http.template.value.DictView;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyIterator;
import io.kvrouter.http.template.value.PyRange;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Going through what can be gone through, and its length. */
public final class Iteration {
    private Iteration() {}

    /** {@code iter(value)}. */
    public static Iterator<Object> over(Object value) {
        return over(value, "'%s' object is not iterable");
    }

    static Iterator<Object> over(Object value, String refusal) {
        if (value instanceof PyIterator iterator) {
            return iterator.source();
        }
        List<Object> items = items(value);
        if (items == null) {
            throw PythonError.type(String.format(refusal, TypeName.of(value)));
        }
        return items.iterator();
    }

    public static boolean isIterable(Object value) {
        return value instanceof PyIterator || value instanceof String || items(value) != null;
    }

    /** {@code list(value)}: a new list, which the caller may change. */
    public static List<Object> list(Object value) {
        if (!(value instanceof PyIterator iterator)) {
            List<Object> items = items(value);
            if (items == null) {
                throw PythonError.type("'" + TypeName.of(value) + "' object is not iterable");
            }
            return new ArrayList<>(items);
        }
        List<Object> list = new ArrayList<>();
        iterator.source().forEachRemaining(item -> {
            TextLimit.check(list.size());
            list.add(item);
        });
        return list;
    }

    /** The items of what has a length, not to be changed; null for what can't be gone through or is consumed by it. */
    @SuppressWarnings("unchecked") // lists of this interpreter hold objects
    public static @Nullable List<Object> items(Object value) {
        return switch (value) {
            case List<?> list -> (List<Object>) list;
            case PyTuple tuple -> tuple.items();
            case PyDict dict -> dict.keys();
            case DictView view -> view.items();
            case PyRange range -> range.numbers();
            case String text -> characters(text);
            case Markup markup -> characters(markup.text());
            case Undefined undefined -> List.of();
            default -> null;
        };
    }

    private static List<Object> characters(String text) {
        List<Object> characters = new ArrayList<>(text.length());
        text.codePoints().forEach(c -> characters.add(Character.toString(c)));
        return characters;
    }

    /** {@code len(value)}. */
    public static int length(Object value) {
        int length = lengthOrMinusOne(value);
        if (length < 0) {
            throw PythonError.type("object of type '" + TypeName.of(value) + "' has no len()");
        }
        return length;
    }

    /** The length, or -1 for what has none. */
    public static int lengthOrMinusOne(Object value) {
        return switch (value) {
            case String text -> CodePoints.length(text);
            case Markup markup -> CodePoints.length(markup.text());
            case List<?> list -> list.size();
            case PyTuple tuple -> tuple.items().size();
            case PyDict dict -> dict.size();
            case DictView view -> view.dict().size();
            case PyRange range -> range.length();
            case Undefined undefined -> 0;
            default -> -1;
        };
    }
}
