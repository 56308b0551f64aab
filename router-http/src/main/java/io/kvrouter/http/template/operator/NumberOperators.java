package io.kvrouter.http.template.operator;

import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PythonError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/** Python's arithmetic of two numbers. Division rounds down, and a remainder has the divisor's sign. */
final class NumberOperators {
    private static final long EXACT_IN_DOUBLE = 1L << 53;
    private static final int ENOUGH_DIGITS = 40;
    /** An integer beyond this many bits is refused: it would take the node's time. */
    private static final int MOST_BITS = 1 << 16;

    private NumberOperators() {}

    static Object add(Object left, Object right) {
        if (real(left, right)) {
            return Numbers.asDouble(left) + Numbers.asDouble(right);
        }
        return Numbers.integer(Numbers.asBig(left).add(Numbers.asBig(right)));
    }

    static Object subtract(Object left, Object right) {
        if (real(left, right)) {
            return Numbers.asDouble(left) - Numbers.asDouble(right);
        }
        return Numbers.integer(Numbers.asBig(left).subtract(Numbers.asBig(right)));
    }

    static Object multiply(Object left, Object right) {
        if (real(left, right)) {
            return Numbers.asDouble(left) * Numbers.asDouble(right);
        }
        BigInteger a = Numbers.asBig(left);
        BigInteger b = Numbers.asBig(right);
        checkBits((long) a.bitLength() + b.bitLength());
        return Numbers.integer(a.multiply(b));
    }

    static Object divide(Object left, Object right) {
        if (real(left, right)) {
            double divisor = Numbers.asDouble(right);
            refuseZero(divisor == 0, "float division by zero");
            return Numbers.asDouble(left) / divisor;
        }
        BigInteger a = Numbers.asBig(left);
        BigInteger b = Numbers.asBig(right);
        refuseZero(b.signum() == 0, "division by zero");
        if (isExact(a) && isExact(b)) {
            return a.doubleValue() / b.doubleValue();
        }
        return new BigDecimal(a)
                .divide(new BigDecimal(b), new MathContext(ENOUGH_DIGITS))
                .doubleValue();
    }

    private static boolean isExact(BigInteger value) {
        return value.abs().compareTo(BigInteger.valueOf(EXACT_IN_DOUBLE)) <= 0;
    }

    static Object floorDivide(Object left, Object right) {
        if (real(left, right)) {
            double a = Numbers.asDouble(left);
            double b = Numbers.asDouble(right);
            refuseZero(b == 0, "float floor division by zero");
            double remainder = a % b;
            boolean down = remainder != 0 && (remainder < 0) != (b < 0);
            double quotient = (a - remainder) / b - (down ? 1 : 0);
            return quotient == 0 ? Math.copySign(0.0, a / b) : nearestFloor(quotient);
        }
        BigInteger b = Numbers.asBig(right);
        refuseZero(b.signum() == 0, "integer division or modulo by zero");
        BigInteger[] parts = Numbers.asBig(left).divideAndRemainder(b);
        boolean down = parts[1].signum() != 0 && parts[1].signum() != b.signum();
        return Numbers.integer(down ? parts[0].subtract(BigInteger.ONE) : parts[0]);
    }

    private static double nearestFloor(double quotient) {
        double floor = Math.floor(quotient);
        return quotient - floor > 0.5 ? floor + 1 : floor;
    }

    static Object modulo(Object left, Object right) {
        if (real(left, right)) {
            double b = Numbers.asDouble(right);
            refuseZero(b == 0, "float modulo");
            return floorRemainder(Numbers.asDouble(left), b);
        }
        BigInteger b = Numbers.asBig(right);
        refuseZero(b.signum() == 0, "integer modulo by zero");
        BigInteger remainder = Numbers.asBig(left).mod(b.abs());
        return Numbers.integer(b.signum() < 0 && remainder.signum() != 0 ? remainder.add(b) : remainder);
    }

    private static double floorRemainder(double a, double b) {
        double remainder = a % b;
        if (remainder == 0) {
            return Math.copySign(0.0, b);
        }
        return (remainder < 0) != (b < 0) ? remainder + b : remainder;
    }

    static Object power(Object left, Object right) {
        if (real(left, right) || Numbers.asBig(right).signum() < 0) {
            return realPower(Numbers.asDouble(left), Numbers.asDouble(right));
        }
        BigInteger base = Numbers.asBig(left);
        BigInteger exponent = Numbers.asBig(right);
        if (base.abs().compareTo(BigInteger.ONE) <= 0) {
            boolean odd = exponent.testBit(0);
            return Numbers.integer(exponent.signum() == 0 ? BigInteger.ONE : odd ? base : base.abs());
        }
        checkBits(exponent.bitLength() > Integer.SIZE - 1 ? Long.MAX_VALUE : base.bitLength() * exponent.longValue());
        return Numbers.integer(base.pow(exponent.intValue()));
    }

    private static double realPower(double base, double exponent) {
        refuseZero(base == 0 && exponent < 0, "0.0 cannot be raised to a negative power");
        if (base < 0 && exponent != Math.rint(exponent)) {
            throw PythonError.type("a complex number, which no chat template needs");
        }
        double power = Math.pow(base, exponent);
        if (Double.isInfinite(power) && !Double.isInfinite(base) && !Double.isInfinite(exponent)) {
            throw new PythonError(ErrorKind.OVERFLOW, "(34, 'Numerical result out of range')");
        }
        return power;
    }

    private static boolean real(Object left, Object right) {
        return left instanceof Double || right instanceof Double;
    }

    private static void refuseZero(boolean zero, String message) {
        if (zero) {
            throw new PythonError(ErrorKind.ZERO_DIVISION, message);
        }
    }

    private static void checkBits(long bits) {
        if (bits > MOST_BITS) {
            throw PythonError.limit("an integer of " + bits + " bits (expected: at most " + MOST_BITS + ")");
        }
    }
}
