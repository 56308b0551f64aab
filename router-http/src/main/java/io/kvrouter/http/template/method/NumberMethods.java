package io.kvrouter.http.template.method;

import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.value.PyFunction;
import org.jspecify.annotations.Nullable;

/** The attributes of int and float. */
final class NumberMethods {
    private NumberMethods() {}

    static @Nullable Object ofInteger(Object number, String name) {
        return switch (name) {
            case "real", "numerator" -> number;
            case "imag" -> 0L;
            case "denominator" -> 1L;
            case "bit_length" ->
                (PyFunction) none -> (long) Numbers.asBig(number).abs().bitLength();
            case "bit_count" ->
                (PyFunction) none -> (long) Numbers.asBig(number).abs().bitCount();
            case "conjugate" -> (PyFunction) none -> number;
            default -> null;
        };
    }

    static @Nullable Object ofFloat(double number, String name) {
        return switch (name) {
            case "real" -> number;
            case "imag" -> 0.0;
            case "is_integer" -> (PyFunction) none -> !Double.isInfinite(number) && number == Math.rint(number);
            case "conjugate" -> (PyFunction) none -> number;
            default -> null;
        };
    }
}
