package io.kvrouter.http.template.format;

import io.kvrouter.http.template.python.FloatText;
import io.kvrouter.http.template.python.TextLimit;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Floats with a given precision, rounded from their exact binary value as C's printf does. */
final class FloatFormat {
    private static final int LEAST_EXPONENT = -4;

    private FloatFormat() {}

    /**
     * @param type one of {@code eEfFgG%}
     * @param alternate keep the trailing zeros of the general format
     */
    static String of(double number, char type, int precision, boolean alternate) {
        TextLimit.check(precision);
        String text = lower(number, Character.toLowerCase(type), precision, alternate);
        return Character.isUpperCase(type) ? text.toUpperCase(Locale.ROOT) : text;
    }

    private static String lower(double number, char type, int precision, boolean alternate) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return FloatText.of(number) + (type == '%' ? "%" : "");
        }
        String sign = Math.copySign(1, number) < 0 ? "-" : "";
        BigDecimal magnitude = new BigDecimal(number).abs();
        return sign
                + switch (type) {
                    case 'e' -> scientific(magnitude, precision);
                    case 'g' -> general(magnitude, Math.max(1, precision), alternate);
                    case '%' -> fixed(new BigDecimal(number * 100).abs(), precision) + "%";
                    default -> fixed(magnitude, precision);
                };
    }

    private static String fixed(BigDecimal number, int precision) {
        return number.setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
    }

    private static String scientific(BigDecimal number, int precision) {
        if (number.signum() == 0) {
            return fixed(number, precision) + "e+00";
        }
        BigDecimal rounded = number.round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
        int exponent = exponent(rounded);
        return rounded.movePointLeft(exponent)
                        .setScale(precision, RoundingMode.HALF_EVEN)
                        .toPlainString()
                + FloatText.exponentText(exponent);
    }

    private static String general(BigDecimal number, int precision, boolean alternate) {
        BigDecimal rounded = number.round(new MathContext(precision, RoundingMode.HALF_EVEN));
        int exponent = rounded.signum() == 0 ? 0 : exponent(rounded);
        if (exponent < LEAST_EXPONENT || exponent >= precision) {
            String text = scientific(number, precision - 1);
            int e = text.indexOf('e');
            return (alternate ? text.substring(0, e) : withoutZeros(text.substring(0, e))) + text.substring(e);
        }
        String text = fixed(rounded, precision - 1 - exponent);
        return alternate ? text : withoutZeros(text);
    }

    private static int exponent(BigDecimal number) {
        return number.precision() - number.scale() - 1;
    }

    private static String withoutZeros(String text) {
        if (text.indexOf('.') < 0) {
            return text;
        }
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }
}
