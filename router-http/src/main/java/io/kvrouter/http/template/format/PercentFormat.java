package io.kvrouter.http.template.format;

import io.kvrouter.http.template.python.CodePoints;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyRange;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Python's {@code "%s" % value}. */
public final class PercentFormat {
    private static final Pattern SPECIFIER =
            Pattern.compile("%(?:\\(([^()]*)\\))?([-+ #0]*)(\\*|\\d*)(?:\\.(\\*|\\d*))?[hlL]?(.?)", Pattern.DOTALL);

    private final Object values;
    private final List<Object> positional;
    private int next;

    private PercentFormat(Object values) {
        this.values = values;
        this.positional = values instanceof PyTuple tuple ? tuple.items() : List.of(values);
    }

    public static String of(String format, Object values) {
        return new PercentFormat(values).apply(format);
    }

    private String apply(String format) {
        var out = new StringBuilder();
        Matcher specifier = SPECIFIER.matcher(format);
        int done = 0;
        while (specifier.find(done)) {
            out.append(format, done, specifier.start());
            out.append(specifier.group().equals("%%") ? "%" : convert(specifier));
            TextLimit.check(out.length());
            done = specifier.end();
        }
        if (next < positional.size() && !isSubscriptable(values)) {
            throw PythonError.type("not all arguments converted during string formatting");
        }
        return out.append(format, done, format.length()).toString();
    }

    /** What Python can't tell from a mapping: it may be left over. */
    private static boolean isSubscriptable(Object values) {
        return values instanceof PyDict
                || values instanceof List<?>
                || values instanceof PyRange
                || values instanceof Undefined;
    }

    private String convert(Matcher specifier) {
        String flags = specifier.group(2);
        Object named = specifier.group(1) == null ? null : named(specifier.group(1));
        int width = size(specifier.group(3), 0);
        int precision = size(specifier.group(4), -1);
        if (specifier.group(5).isEmpty()) {
            throw PythonError.value("incomplete format");
        }
        char type = specifier.group(5).charAt(0);
        if (type == '%') {
            return "%";
        }
        Object value = named == null ? take() : named;
        boolean left = flags.indexOf('-') >= 0;
        if (width < 0) {
            left = true;
            width = -width;
        }
        String text = text(value, type, precision, flags);
        boolean zeros = flags.indexOf('0') >= 0 && !left && "diouxXeEfFgG".indexOf(type) >= 0;
        return pad(text, width, left, zeros);
    }

    private Object named(String key) {
        refuseUndefined(values);
        if (!(values instanceof PyDict dict)) {
            throw PythonError.type("format requires a mapping");
        }
        Object value = dict.get(key);
        if (value == null) {
            throw new PythonError(ErrorKind.KEY, "'" + key + "'");
        }
        return value;
    }

    private Object take() {
        if (next >= positional.size()) {
            throw PythonError.type("not enough arguments for format string");
        }
        return positional.get(next++);
    }

    private int size(@Nullable String written, int absent) {
        if (written == null) {
            return absent;
        }
        if (!written.equals("*")) {
            return written.isEmpty()
                    ? 0
                    : TextLimit.check(
                            new BigInteger(written).min(BigInteger.TWO.pow(31)).longValue());
        }
        Object value = take();
        if (!Numbers.isInteger(value)) {
            throw PythonError.type("* wants int");
        }
        return Numbers.asIndex(value);
    }

    private static String text(Object value, char type, int precision, String flags) {
        return switch (type) {
            case 's' -> cut(PyText.str(value), precision);
            case 'r' -> cut(PyText.repr(value), precision);
            case 'a' -> cut(Ascii.of(PyText.repr(value)), precision);
            case 'c' -> character(value);
            case 'd', 'i', 'u' -> signed(digits(integer(value, type), 10, precision, ""), flags);
            case 'o' ->
                signed(digits(exactInteger(value, type), 8, precision, flags.indexOf('#') >= 0 ? "0o" : ""), flags);
            case 'x', 'X' -> signed(hex(exactInteger(value, type), type, precision, flags), flags);
            case 'e', 'E', 'f', 'F', 'g', 'G' ->
                signed(
                        FloatFormat.of(real(value), type, precision < 0 ? 6 : precision, flags.indexOf('#') >= 0),
                        flags);
            default -> throw PythonError.value("unsupported format character '" + type + "'");
        };
    }

    private static String hex(BigInteger value, char type, int precision, String flags) {
        String text = digits(value, 16, precision, flags.indexOf('#') >= 0 ? "0x" : "");
        return type == 'X' ? text.toUpperCase(Locale.ROOT) : text;
    }

    private static String digits(BigInteger value, int radix, int precision, String prefix) {
        String digits = value.abs().toString(radix);
        String zeros = "0".repeat(TextLimit.check(Math.max(0, precision - digits.length())));
        return (value.signum() < 0 ? "-" : "") + prefix + zeros + digits;
    }

    private static String signed(String text, String flags) {
        if (text.startsWith("-")) {
            return text;
        }
        return flags.indexOf('+') >= 0 ? "+" + text : flags.indexOf(' ') >= 0 ? " " + text : text;
    }

    private static BigInteger integer(Object value, char type) {
        refuseUndefined(value);
        return value instanceof Double number
                ? Numbers.asBig(Numbers.truncate(number))
                : number(value, "%" + type + " format: a real number is required, not ");
    }

    private static BigInteger exactInteger(Object value, char type) {
        return number(value, "%" + type + " format: an integer is required, not ");
    }

    private static BigInteger number(Object value, String refusal) {
        if (!Numbers.isInteger(value)) {
            throw PythonError.type(refusal + TypeName.of(value));
        }
        return Numbers.asBig(value);
    }

    private static void refuseUndefined(Object value) {
        if (value instanceof Undefined undefined) {
            throw undefined.error();
        }
    }

    private static double real(Object value) {
        refuseUndefined(value);
        if (!Numbers.isNumber(value)) {
            throw PythonError.type(
                    "must be real number, not " + (value == None.NONE ? "NoneType" : TypeName.of(value)));
        }
        return Numbers.asDouble(value);
    }

    private static String character(Object value) {
        if (value instanceof String text && CodePoints.length(text) == 1) {
            return text;
        }
        if (Numbers.isInteger(value)) {
            int code = Numbers.asIndex(value);
            if (!Character.isValidCodePoint(code)) {
                throw new PythonError(ErrorKind.OVERFLOW, "a character code that is not in range(0x110000)");
            }
            return Character.toString(code);
        }
        throw PythonError.type("%c requires int or char");
    }

    private static String cut(String text, int precision) {
        return precision < 0 || precision >= CodePoints.length(text) ? text : CodePoints.substring(text, 0, precision);
    }

    private static String pad(String text, int width, boolean left, boolean zeros) {
        int missing = TextLimit.check(Math.max(0, width - CodePoints.length(text)));
        if (missing == 0) {
            return text;
        }
        if (left) {
            return text + " ".repeat(missing);
        }
        if (!zeros) {
            return " ".repeat(missing) + text;
        }
        int sign = !text.isEmpty() && "+- ".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
        int prefix = text.regionMatches(true, sign, "0x", 0, 2) || text.startsWith("0o", sign) ? 2 : 0;
        int start = sign + prefix;
        return text.substring(0, start) + "0".repeat(missing) + text.substring(start);
    }
}
