package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.operator.Arithmetic;
import io.kvrouter.http.template.python.NumberText;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Filters that make a number. */
final class NumberFilters {
    private static final int MOST_PLACES = 400;

    private NumberFilters() {}

    static void addTo(Map<String, Filter> table) {
        table.put("int", NumberFilters::toInteger);
        table.put("float", NumberFilters::toFloat);
        table.put("abs", (input, none) -> absolute(input));
        table.put("round", NumberFilters::round);
    }

    private static Object toInteger(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("int", 0, "default", "base");
        Object value = integer(input, a[1] == null ? 10 : Numbers.asIndex(a[1]));
        return value != null ? value : a[0] == null ? 0L : a[0];
    }

    private static @Nullable Object integer(Object input, int base) {
        return switch (Markup.plain(input)) {
            case String text -> {
                Object integer = NumberText.integer(text, base);
                yield integer != null ? integer : truncated(NumberText.decimal(text));
            }
            case Double number -> number.isNaN() ? null : Numbers.truncate(number);
            case Undefined undefined -> throw undefined.error();
            default -> Numbers.isInteger(input) ? Arithmetic.plus(input) : null;
        };
    }

    /** Null for what has no integer part: a text that says infinity falls back, unlike the float. */
    private static @Nullable Object truncated(@Nullable Double number) {
        return number == null || number.isNaN() || number.isInfinite() ? null : Numbers.truncate(number);
    }

    private static Object toFloat(Object input, Arguments arguments) {
        @Nullable Object fallback = arguments.bind("float", 0, "default")[0];
        Double number = switch (Markup.plain(input)) {
            case String text -> NumberText.decimal(text);
            case Undefined undefined -> throw undefined.error();
            default -> Numbers.isNumber(input) ? (Double) Numbers.asDouble(input) : null;
        };
        return number != null ? number : fallback == null ? (Object) 0.0 : fallback;
    }

    private static Object absolute(Object input) {
        if (input instanceof Double number) {
            return Math.abs(number);
        }
        if (!Numbers.isInteger(input)) {
            throw PythonError.type("bad operand type for abs(): '" + TypeName.of(input) + "'");
        }
        return Numbers.integer(Numbers.asBig(input).abs());
    }

    private static Object round(Object input, Arguments arguments) {
        @Nullable Object[] a = arguments.bind("round", 0, "precision", "method");
        int places = Math.clamp(a[0] == null ? 0 : Numbers.asIndex(a[0]), -MOST_PLACES, MOST_PLACES);
        Object method = a[1] == null ? "common" : a[1];
        if (method.equals("common")) {
            return rounded(input, places);
        }
        if (!method.equals("ceil") && !method.equals("floor")) {
            throw new PythonError(ErrorKind.FILTER_ARGUMENT, "method must be common, ceil or floor");
        }
        Object scale = Arithmetic.power(10L, (long) places);
        Object product = Arithmetic.multiply(input, scale);
        if (Numbers.isInteger(product)) {
            return Arithmetic.divide(product, scale);
        }
        double scaled = Numbers.asDouble(product);
        double whole = method.equals("ceil") ? Math.ceil(scaled) : Math.floor(scaled);
        return Arithmetic.divide(Numbers.truncate(whole), scale);
    }

    /** Half to even, of the number's exact value. */
    private static Object rounded(Object input, int places) {
        if (input instanceof Double number) {
            boolean special = number.isNaN() || number.isInfinite();
            return special
                    ? number
                    : (Object) Math.copySign(
                            new BigDecimal(number)
                                    .setScale(places, RoundingMode.HALF_EVEN)
                                    .doubleValue(),
                            number);
        }
        if (input instanceof Undefined || !Numbers.isInteger(input)) {
            throw PythonError.type("type " + TypeName.of(input) + " doesn't define __round__ method");
        }
        BigInteger integer = Numbers.asBig(input);
        return Numbers.integer(
                places >= 0
                        ? integer
                        : new BigDecimal(integer)
                                .setScale(places, RoundingMode.HALF_EVEN)
                                .toBigInteger());
    }
}
