package io.kvrouter.http.template.python;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts that {@code int()} and {@code float()} accept. */
public final class NumberText {
    private static final Pattern INTEGER =
            Pattern.compile("([+-]?)(0[xX]_?|0[oO]_?|0[bB]_?)?([0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*)");
    private static final Pattern FLOAT = Pattern.compile(
            "[+-]?(?:\\d+(?:_\\d+)*\\.?(?:\\d+(?:_\\d+)*)?|\\.\\d+(?:_\\d+)*)" + "(?:[eE][+-]?\\d+(?:_\\d+)*)?");
    private static final Pattern NAMED = Pattern.compile("([+-]?)(?:(inf|infinity)|nan)", Pattern.CASE_INSENSITIVE);
    /** Python refuses to convert longer ones, too. */
    private static final int MOST_DIGITS = 4300;

    private NumberText() {}

    /** The integer, or null if the text is none. */
    public static @Nullable Object integer(String text, int base) {
        Matcher parts = INTEGER.matcher(Characters.strip(text));
        if (!parts.matches()) {
            return null;
        }
        String prefix = parts.group(2) == null
                ? ""
                : parts.group(2).toLowerCase(Locale.ROOT).replace("_", "");
        String digits = parts.group(3).replace("_", "");
        int prefixBase = switch (prefix) {
            case "0x" -> 16;
            case "0o" -> 8;
            case "0b" -> 2;
            default -> 0;
        };
        if (prefixBase != 0 && base != 0 && base != prefixBase) {
            digits = prefix + digits;
            prefixBase = 0;
        }
        int radix = prefixBase != 0 ? prefixBase : base == 0 ? 10 : base;
        return digits.length() > MOST_DIGITS ? null : parse(parts.group(1) + digits, radix);
    }

    private static @Nullable Object parse(String digits, int radix) {
        try {
            return Numbers.integer(new BigInteger(digits, radix));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The float, or null if the text is none. */
    public static @Nullable Double decimal(String text) {
        String stripped = Characters.strip(text);
        Matcher named = NAMED.matcher(stripped);
        if (named.matches()) {
            double magnitude = named.group(2) == null ? Double.NaN : Double.POSITIVE_INFINITY;
            return "-".equals(named.group(1)) ? -magnitude : magnitude;
        }
        return FLOAT.matcher(stripped).matches() ? (Double) Double.parseDouble(stripped.replace("_", "")) : null;
    }
}
