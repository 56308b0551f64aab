package io.kvrouter.http.template.python;

import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Python's numbers: bool and int (a Long while it fits, else a BigInteger) and float. Truth values count as 0 and 1.
 */
public final class Numbers {
    private Numbers() {}

    public static boolean isNumber(Object value) {
        return value instanceof Long
                || value instanceof Double
                || value instanceof Boolean
                || value instanceof BigInteger;
    }

    public static boolean isInteger(Object value) {
        return value instanceof Long || value instanceof Boolean || value instanceof BigInteger;
    }

    /** The smallest form of an integer. */
    public static Object integer(BigInteger value) {
        return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
    }

    /** The integer as a long, or null if it is none or too large. */
    public static @Nullable Long asLong(Object value) {
        return switch (value) {
            case Long number -> number;
            case Boolean truth -> truth ? 1L : 0L;
            default -> null;
        };
    }

    public static BigInteger asBig(Object integer) {
        if (integer instanceof BigInteger big) {
            return big;
        }
        Long number = asLong(integer);
        if (number == null) {
            throw notAnInteger(integer);
        }
        return BigInteger.valueOf(number);
    }

    public static double asDouble(Object number) {
        return switch (number) {
            case Double value -> value;
            case BigInteger big -> finite(big.doubleValue());
            default -> asBig(number).doubleValue();
        };
    }

    private static double finite(double value) {
        if (Double.isInfinite(value)) {
            throw new PythonError(ErrorKind.OVERFLOW, "int too large to convert to float");
        }
        return value;
    }

    /** An index or a count as the int that Java wants; what is beyond is as good as its largest. */
    public static int asIndex(Object value) {
        if (!isInteger(value)) {
            throw notAnInteger(value);
        }
        Long number = asLong(value);
        if (number == null) {
            return asBig(value).signum() < 0 ? -Integer.MAX_VALUE : Integer.MAX_VALUE;
        }
        return Math.clamp(number, -Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    private static PythonError notAnInteger(Object value) {
        return PythonError.type("'" + TypeName.of(value) + "' object cannot be interpreted as an integer");
    }

    static boolean equal(Object left, Object right) {
        boolean nan = (left instanceof Double a && a.isNaN()) || (right instanceof Double b && b.isNaN());
        return !nan && compare(left, right) == 0;
    }

    static int compare(Object left, Object right) {
        Long a = asLong(left);
        Long b = asLong(right);
        if (a != null && b != null) {
            return Long.compare(a, b);
        }
        if (isUnbounded(left) || isUnbounded(right) || (left instanceof Double && right instanceof Double)) {
            double x = asDouble(left);
            double y = asDouble(right);
            return x < y ? -1 : x > y ? 1 : 0;
        }
        return exact(left).compareTo(exact(right));
    }

    private static boolean isUnbounded(Object value) {
        return value instanceof Double number && (number.isNaN() || number.isInfinite());
    }

    private static BigDecimal exact(Object value) {
        return value instanceof Double number ? new BigDecimal(number) : new BigDecimal(asBig(value));
    }

    /** {@code int(number)}: towards zero. */
    public static Object truncate(double number) {
        if (Double.isNaN(number)) {
            throw PythonError.value("cannot convert float NaN to integer");
        }
        if (Double.isInfinite(number)) {
            throw new PythonError(ErrorKind.OVERFLOW, "cannot convert float infinity to integer");
        }
        return integer(new BigDecimal(number).toBigInteger());
    }
}
