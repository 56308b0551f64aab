package io.kvrouter.http.template.format;

import io.kvrouter.http.template.python.CodePoints;
import io.kvrouter.http.template.python.FloatText;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Python's format specifications: what stands behind the colon of {@code "{:>8.2f}"}. */
final class FormatSpec {
    private static final Pattern GRAMMAR = Pattern.compile(
            "(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\\d{1,9})?([,_])?(?:\\.(\\d{1,9}))?([a-zA-Z%])?", Pattern.DOTALL);

    private final Matcher parts;
    private final String spec;

    private FormatSpec(String spec) {
        this.spec = spec;
        this.parts = GRAMMAR.matcher(spec);
        if (!parts.matches()) {
            throw PythonError.value("Invalid format specifier '" + spec + "'");
        }
    }

    static String apply(Object value, String spec) {
        if (spec.isEmpty()) {
            return PyText.str(value);
        }
        var format = new FormatSpec(spec);
        return switch (value) {
            case String text -> format.text(text);
            case Double number -> format.real(number);
            case Markup markup -> format.text(markup.text());
            case Object number when Numbers.isInteger(number) -> format.integer(number);
            default ->
                throw PythonError.type("unsupported format string passed to " + TypeName.of(value) + ".__format__");
        };
    }

    private char type() {
        return parts.group(9) == null ? 0 : parts.group(9).charAt(0);
    }

    private int precision(int absent) {
        return parts.group(8) == null ? absent : TextLimit.check(Integer.parseInt(parts.group(8)));
    }

    private String text(String text) {
        if ((type() != 0 && type() != 's')
                || parts.group(3) != null
                || parts.group(7) != null
                || "=".equals(parts.group(2))) {
            throw PythonError.value("Invalid format specifier '" + spec + "' for object of type 'str'");
        }
        int precision = precision(Integer.MAX_VALUE);
        return pad(precision < CodePoints.length(text) ? CodePoints.substring(text, 0, precision) : text, '<', "");
    }

    private String integer(Object number) {
        BigInteger value = Numbers.asBig(number);
        char type = type();
        if (type != 0 && "eEfFgG%".indexOf(type) >= 0) {
            return real(Numbers.asDouble(number));
        }
        if (parts.group(8) != null) {
            throw PythonError.value("Precision not allowed in integer format specifier");
        }
        String digits = switch (type) {
            case 0, 'd', 'n' -> value.abs().toString();
            case 'b' -> value.abs().toString(2);
            case 'o' -> value.abs().toString(8);
            case 'x' -> value.abs().toString(16);
            case 'X' -> value.abs().toString(16).toUpperCase(Locale.ROOT);
            case 'c' -> Character.toString(value.intValueExact());
            default -> throw unknown(number);
        };
        boolean prefixed = parts.group(4) != null && type != 0 && "boxX".indexOf(type) >= 0;
        int group = type == 0 || type == 'd' ? 3 : 4;
        return pad(
                grouped(digits, group),
                type == 'c' ? '<' : '>',
                sign(value.signum() < 0) + (prefixed ? "0" + type : ""));
    }

    private String real(double number) {
        char type = type();
        boolean negative = Math.copySign(1, number) < 0 && !Double.isNaN(number);
        String text;
        if (type == 0 && parts.group(8) == null) {
            text = FloatText.of(Math.abs(number));
        } else if (type == 0) {
            text = general(Math.abs(number), precision(6));
        } else if ("eEfFgG%".indexOf(type) >= 0) {
            text = FloatFormat.of(Math.abs(number), type, precision(6), parts.group(4) != null);
        } else {
            throw unknown(number);
        }
        return pad(grouped(text, 3), '>', sign(negative));
    }

    /** No type but a precision: the general format, with at least one digit behind the point. */
    private static String general(double number, int precision) {
        String text = FloatFormat.of(number, 'g', precision, false);
        boolean plain = text.chars().allMatch(c -> c >= '0' && c <= '9');
        if (plain && text.length() >= Math.max(1, precision)) {
            return FloatFormat.of(number, 'e', Math.max(1, precision) - 1, false);
        }
        return plain ? text + ".0" : text;
    }

    private String sign(boolean negative) {
        String sign = parts.group(3) == null ? "-" : parts.group(3);
        return negative ? "-" : sign.equals("-") ? "" : sign;
    }

    private String grouped(String digits, int group) {
        if (parts.group(7) == null) {
            return digits;
        }
        int end = 0;
        while (end < digits.length() && Character.isLetterOrDigit(digits.charAt(end)) && digits.charAt(end) != 'e') {
            end++;
        }
        var out = new StringBuilder(digits);
        for (int i = end - group; i > 0; i -= group) {
            out.insert(i, parts.group(7));
        }
        return out.toString();
    }

    private String pad(String body, char natural, String sign) {
        boolean zero = parts.group(5) != null;
        String align = parts.group(2) != null ? parts.group(2) : zero && natural == '>' ? "=" : String.valueOf(natural);
        String fill = parts.group(1) != null ? parts.group(1) : zero ? "0" : " ";
        int width = parts.group(6) == null ? 0 : TextLimit.check(Integer.parseInt(parts.group(6)));
        int missing = Math.max(0, width - CodePoints.length(sign) - CodePoints.length(body));
        return switch (align) {
            case "<" -> sign + body + fill.repeat(missing);
            case "^" -> fill.repeat(missing / 2) + sign + body + fill.repeat(missing - missing / 2);
            case "=" -> sign + fill.repeat(missing) + body;
            default -> fill.repeat(missing) + sign + body;
        };
    }

    private PythonError unknown(Object value) {
        return PythonError.value(
                "Unknown format code '" + type() + "' for object of type '" + TypeName.of(value) + "'");
    }
}
