package io.kvrouter.http.template.python;

import java.math.BigDecimal;
import java.math.MathContext;

/** A float as {@code repr} writes it: the shortest digits that read back as the same number. */
public final class FloatText {
    private static final int LEAST_EXPONENT = -4;
    private static final int LEAST_BIG_EXPONENT = 16;

    private FloatText() {}

    public static String of(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0.0" : "0.0";
        }
        BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        if (decimal.precision() == 2) {
            BigDecimal shorter = decimal.round(new MathContext(1)); // Java writes two digits where one will do
            decimal = shorter.doubleValue() == number ? shorter : decimal;
        }
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (exponent < LEAST_EXPONENT || exponent >= LEAST_BIG_EXPONENT) {
            return scientific(decimal, exponent);
        }
        String plain = decimal.toPlainString();
        return decimal.scale() <= 0 ? plain + ".0" : plain;
    }

    private static String scientific(BigDecimal decimal, int exponent) {
        String digits = decimal.unscaledValue().abs().toString();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        return (decimal.signum() < 0 ? "-" : "") + digits.charAt(0) + fraction + exponentText(exponent);
    }

    /** The exponent as C writes it: a sign, and at least two digits. */
    public static String exponentText(int exponent) {
        int magnitude = Math.abs(exponent);
        return (exponent < 0 ? "e-" : "e+") + (magnitude < 10 ? "0" : "") + magnitude;
    }
}
