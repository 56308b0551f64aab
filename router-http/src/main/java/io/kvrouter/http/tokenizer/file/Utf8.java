package io.kvrouter.http.tokenizer.file;

/** UTF-8 of well-formed text, written without an object for each word. */
public final class Utf8 {
    private static final int ONE = 0x80;
    private static final int TWO = 0x800;
    private static final int THREE = 0x1_0000;
    private static final int TAIL = 0x3F;
    private static final int BITS = 6;
    private static final int LEAD_TWO = 0xC0;
    private static final int LEAD_THREE = 0xE0;
    private static final int LEAD_FOUR = 0xF0;

    private Utf8() {}

    /** Whether every surrogate in it has its other half: what no engine takes otherwise. */
    public static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean pair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** Writes a part of a text to the start of a buffer that is long enough; answers how many bytes it wrote. */
    public static int encode(String text, int from, int to, byte[] buffer) {
        int at = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < ONE) {
                buffer[at++] = (byte) c;
            } else {
                int codePoint = text.codePointAt(i);
                at = encode(codePoint, buffer, at);
                i += Character.charCount(codePoint) - 1;
            }
        }
        return at;
    }

    private static int encode(int codePoint, byte[] buffer, int start) {
        int at = start;
        int tails = codePoint < TWO ? 1 : codePoint < THREE ? 2 : 3;
        int lead = codePoint < TWO ? LEAD_TWO : codePoint < THREE ? LEAD_THREE : LEAD_FOUR;
        buffer[at++] = (byte) (lead | (codePoint >> (tails * BITS)));
        for (int tail = tails - 1; tail >= 0; tail--) {
            buffer[at++] = (byte) (ONE | ((codePoint >> (tail * BITS)) & TAIL));
        }
        return at;
    }
}
