package io.kvrouter.http.template.python;

/**
 * Positions in a text as Python counts them, in code points. Java counts UTF-16 units, which is the same unless the
 * text has characters beyond the basic plane (emoji), so most texts pay for one scan only.
 */
public final class CodePoints {
    private CodePoints() {}

    public static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** The UTF-16 index of a code point. */
    public static int toUnits(String text, int codePoint) {
        return text.offsetByCodePoints(0, codePoint);
    }

    /** The code point's number at a UTF-16 index; -1 stays -1. */
    public static int fromUnits(String text, int unit) {
        return unit < 0 ? unit : text.codePointCount(0, unit);
    }

    public static String substring(String text, int start, int end) {
        if (start >= end) {
            return "";
        }
        int from = toUnits(text, start);
        return text.substring(from, text.offsetByCodePoints(from, end - start));
    }

    /** A text of one code point. */
    public static String at(String text, int index) {
        return Character.toString(text.codePointAt(toUnits(text, index)));
    }
}
