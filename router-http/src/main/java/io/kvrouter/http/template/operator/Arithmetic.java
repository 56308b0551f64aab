package io.kvrouter.http.template.operator;

import io.kvrouter.http.template.format.PercentFormat;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Python's arithmetic operators, on numbers, texts and lists. */
public final class Arithmetic {
    private Arithmetic() {}

    public static Object add(Object left, Object right) {
        if (left instanceof String a && right instanceof String b) {
            TextLimit.check((long) a.length() + b.length());
            return a.concat(b);
        }
        Long a = Numbers.asLong(left);
        Long b = Numbers.asLong(right);
        if (a != null && b != null) {
            long sum = a + b;
            return ((a ^ sum) & (b ^ sum)) < 0 ? BigInteger.valueOf(a).add(BigInteger.valueOf(b)) : (Object) sum;
        }
        if (left instanceof List<?> x && right instanceof List<?> y) {
            return joined(x, y);
        }
        if (left instanceof PyTuple x && right instanceof PyTuple y) {
            return new PyTuple(joined(x.items(), y.items()));
        }
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return NumberOperators.add(left, right);
        }
        if (isText(left) && isText(right)) {
            return new Markup((String)
                    add(Markup.escape(left).text(), Markup.escape(right).text()));
        }
        throw isText(left) || left instanceof List<?> || left instanceof PyTuple
                ? notConcatenable(left, right)
                : unsupported("+", left, right);
    }

    private static boolean isText(Object value) {
        return value instanceof String || value instanceof Markup;
    }

    private static List<Object> joined(List<?> left, List<?> right) {
        List<Object> joined = new ArrayList<>(TextLimit.check((long) left.size() + right.size()));
        joined.addAll(left);
        joined.addAll(right);
        return joined;
    }

    private static PythonError notConcatenable(Object left, Object right) {
        if (right instanceof Undefined undefined) {
            return undefined.error();
        }
        String type = TypeName.of(left);
        return PythonError.type("can only concatenate " + type + " (not \"" + TypeName.of(right) + "\") to " + type);
    }

    public static Object subtract(Object left, Object right) {
        requireNumbers("-", left, right);
        return NumberOperators.subtract(left, right);
    }

    public static Object multiply(Object left, Object right) {
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return NumberOperators.multiply(left, right);
        }
        Object product = repeated(left, right);
        if (product == null) {
            product = repeated(right, left);
        }
        if (product == null) {
            throw unsupported("*", left, right);
        }
        return product;
    }

    private static @Nullable Object repeated(Object items, Object times) {
        if (!Numbers.isInteger(times)) {
            return null;
        }
        int count = Math.max(0, Numbers.asIndex(times));
        return switch (items) {
            case String text -> {
                TextLimit.check((long) text.length() * count);
                yield text.isEmpty() ? "" : text.repeat(count);
            }
            case Markup markup -> new Markup(String.valueOf(repeated(markup.text(), times)));
            case List<?> list -> repeated(list, count);
            case PyTuple tuple -> new PyTuple(repeated(tuple.items(), count));
            default -> null;
        };
    }

    private static List<Object> repeated(List<?> items, int count) {
        List<Object> repeated = new ArrayList<>(TextLimit.check((long) items.size() * count));
        for (int i = 0; i < count && !items.isEmpty(); i++) {
            repeated.addAll(items);
        }
        return repeated;
    }

    public static Object divide(Object left, Object right) {
        requireNumbers("/", left, right);
        return NumberOperators.divide(left, right);
    }

    public static Object floorDivide(Object left, Object right) {
        requireNumbers("//", left, right);
        return NumberOperators.floorDivide(left, right);
    }

    public static Object modulo(Object left, Object right) {
        if (left instanceof String format) {
            return PercentFormat.of(format, right);
        }
        if (left instanceof Markup format) {
            return new Markup(PercentFormat.of(format.text(), escapedItems(right)));
        }
        requireNumbers("%", left, right);
        return NumberOperators.modulo(left, right);
    }

    private static Object escapedItems(Object values) {
        return switch (values) {
            case String text -> Markup.escape(text).text();
            case Markup markup -> markup.text();
            case PyTuple tuple ->
                new PyTuple(tuple.items().stream().map(Arithmetic::escapedItems).toList());
            default -> values;
        };
    }

    public static Object power(Object left, Object right) {
        requireNumbers("** or pow()", left, right);
        return NumberOperators.power(left, right);
    }

    public static Object negate(Object value) {
        requireNumber("-", value);
        return value instanceof Double number
                ? (Object) (-number)
                : Numbers.integer(Numbers.asBig(value).negate());
    }

    public static Object plus(Object value) {
        requireNumber("+", value);
        return value instanceof Double ? value : Numbers.integer(Numbers.asBig(value));
    }

    private static void requireNumber(String operator, Object value) {
        if (value instanceof Undefined undefined) {
            throw undefined.error();
        }
        if (!Numbers.isNumber(value)) {
            throw PythonError.type("bad operand type for unary " + operator + ": '" + TypeName.of(value) + "'");
        }
    }

    private static void requireNumbers(String operator, Object left, Object right) {
        if (!Numbers.isNumber(left) || !Numbers.isNumber(right)) {
            throw unsupported(operator, left, right);
        }
    }

    private static PythonError unsupported(String operator, Object left, Object right) {
        if (left instanceof Undefined undefined) {
            return undefined.error();
        }
        if (right instanceof Undefined undefined) {
            return undefined.error();
        }
        return PythonError.type("unsupported operand type(s) for " + operator + ": '" + TypeName.of(left) + "' and '"
                + TypeName.of(right) + "'");
    }
}
