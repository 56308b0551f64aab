package io.kvrouter.http.template.python;

import io.kvrouter.http.template.value.DictView;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyRange;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Equality, order, identity and membership. */
@SuppressWarnings("ReferenceEquality") // Python, too, looks at identity first
public final class Comparison {
    private Comparison() {}

    /** {@code left == right}. */
    public static boolean equal(Object left, Object right) {
        if (left == right) {
            return !(left instanceof Double number && number.isNaN());
        }
        if (left instanceof Markup || right instanceof Markup) {
            return equal(Markup.plain(left), Markup.plain(right));
        }
        if (left instanceof String || right instanceof String) {
            return left.equals(right);
        }
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return Numbers.equal(left, right);
        }
        if (left instanceof List<?> a && right instanceof List<?> b) {
            return equalItems(a, b);
        }
        if (left instanceof PyTuple a && right instanceof PyTuple b) {
            return equalItems(a.items(), b.items());
        }
        if (left instanceof PyDict a && right instanceof PyDict b) {
            return equalDicts(a, b);
        }
        if (left instanceof PyRange a && right instanceof PyRange b) {
            return a.numbers().equals(b.numbers());
        }
        return left.equals(right);
    }

    private static boolean equalItems(List<?> left, List<?> right) {
        if (left.size() != right.size()) {
            return false;
        }
        Iterator<?> other = right.iterator();
        for (Object item : left) {
            if (!same(item, other.next())) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalDicts(PyDict left, PyDict right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (Object key : left.keys()) {
            Object value = right.get(key);
            if (value == null || !same(left.get(key), value)) {
                return false;
            }
        }
        return true;
    }

    /** Equal as items of a container are: the same object is equal to itself, even a NaN. */
    private static boolean same(@Nullable Object left, Object right) {
        return left == right || (left != null && equal(left, right));
    }

    /** {@code left is right}: small values that Python keeps once are identical. */
    public static boolean identical(Object left, Object right) {
        if (left == right) {
            return true;
        }
        boolean interned =
                left instanceof String || left instanceof Long || left instanceof Boolean || left instanceof None;
        return interned && left.equals(right);
    }

    /** {@code left operator right}, for the operators of order. */
    public static boolean holds(Object left, Object right, String operator) {
        if (isNan(left) || isNan(right)) {
            return false;
        }
        int order = compare(left, right, operator);
        return switch (operator) {
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private static boolean isNan(Object value) {
        return value instanceof Double number && number.isNaN();
    }

    /**
     * Less than 0, 0, or more than 0 as {@code left} is before, beside or after {@code right}.
     *
     * @param operator for the message when the two have no order
     */
    public static int compare(Object left, Object right, String operator) {
        if (left instanceof String a && right instanceof String b) {
            return compareText(a, b);
        }
        if (left instanceof Markup || right instanceof Markup) {
            return compare(Markup.plain(left), Markup.plain(right), operator);
        }
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return Numbers.compare(left, right);
        }
        if (left instanceof List<?> a && right instanceof List<?> b) {
            return compareItems(a, b, operator);
        }
        if (left instanceof PyTuple a && right instanceof PyTuple b) {
            return compareItems(a.items(), b.items(), operator);
        }
        if (left instanceof Undefined undefined) {
            throw undefined.error();
        }
        if (right instanceof Undefined undefined) {
            throw undefined.error();
        }
        throw PythonError.type("'" + operator + "' not supported between instances of '" + TypeName.of(left) + "' and '"
                + TypeName.of(right) + "'");
    }

    /** By code points; Java's own order is by UTF-16 units. */
    private static int compareText(String left, String right) {
        int end = Math.min(left.length(), right.length());
        for (int i = 0; i < end; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean beyond = Character.isSurrogate(a);
                return beyond == Character.isSurrogate(b) ? Character.compare(a, b) : beyond ? 1 : -1;
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    private static int compareItems(List<?> left, List<?> right, String operator) {
        int end = Math.min(left.size(), right.size());
        for (int i = 0; i < end; i++) {
            if (!same(left.get(i), right.get(i))) {
                return compare(left.get(i), right.get(i), operator);
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    /** {@code item in container}. */
    public static boolean contains(Object container, Object item) {
        return switch (container) {
            case String text -> containsText(text, item);
            case Markup markup -> containsText(markup.text(), item);
            case PyDict dict -> dict.get(item) != null;
            case DictView view
            when view.kind() == DictView.Kind.KEYS -> view.dict().get(item) != null;
            case List<?> list -> containsItem(list.iterator(), item);
            default -> containsItem(Iteration.over(container, "argument of type '%s' is not iterable"), item);
        };
    }

    private static boolean containsText(String text, Object item) {
        if (Markup.plain(item) instanceof String part) {
            return text.contains(part);
        }
        throw PythonError.type("'in <string>' requires string as left operand, not " + TypeName.of(item));
    }

    private static boolean containsItem(Iterator<?> items, Object item) {
        while (items.hasNext()) {
            if (same(items.next(), item)) {
                return true;
            }
        }
        return false;
    }
}
