package io.kvrouter.http.template.python;

/** Python's classes of characters, where they differ from Java's. */
public final class Characters {
    private Characters() {}

    /** What {@code str.isspace} and {@code \s} accept, and {@code strip} strips. All of it is in the basic plane. */
    public static boolean isSpace(int c) {
        if (c < 0x80) {
            return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
        }
        return c == 0x85 || Character.isSpaceChar(c);
    }

    /** What ends a line for {@code str.splitlines}. */
    public static boolean isLineBreak(char c) {
        return (c >= '\n' && c <= '\r') || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    /** What {@code repr} shows as it is. */
    public static boolean isPrintable(int c) {
        if (c >= ' ' && c < 0x7f) {
            return true;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }

    /** The text without the white space at its ends. */
    public static String strip(String text) {
        return stripEnd(stripStart(text));
    }

    public static String stripStart(String text) {
        int start = 0;
        while (start < text.length() && isSpace(text.charAt(start))) {
            start++;
        }
        return text.substring(start);
    }

    public static String stripEnd(String text) {
        int end = text.length();
        while (end > 0 && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end);
    }
}
