package io.kvrouter.http.tokenizer.bpe;

import java.util.Arrays;

/** The 256 printable characters that byte-level vocabularies write bytes as. */
final class ByteAlphabet {
    private static final int BYTES = 256;
    private static final int FIRST_OTHER = 0x100;
    private static final char[] OF_BYTE = new char[BYTES];
    private static final short[] BYTE_OF = new short[2 * BYTES];

    static {
        Arrays.fill(BYTE_OF, (short) -1);
        int other = FIRST_OTHER;
        for (int b = 0; b < BYTES; b++) {
            OF_BYTE[b] = (char) (standsForItself(b) ? b : other++);
            BYTE_OF[OF_BYTE[b]] = (short) b;
        }
    }

    private ByteAlphabet() {}

    /** Printable in Latin-1, the soft hyphen excepted; the others take the characters from U+0100 on, in order. */
    private static boolean standsForItself(int b) {
        return (b >= '!' && b <= '~') || (b >= '¡' && b <= '¬') || b >= '®';
    }

    /** How a vocabulary writes one byte. */
    static String write(int b) {
        return String.valueOf(OF_BYTE[b]);
    }

    /** The bytes of a token; empty if it has a character that stands for none. */
    static byte[] read(String token) {
        byte[] bytes = new byte[token.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = token.charAt(i);
            if (c >= BYTE_OF.length || BYTE_OF[c] < 0) {
                return new byte[0];
            }
            bytes[i] = (byte) BYTE_OF[c];
        }
        return bytes;
    }
}
