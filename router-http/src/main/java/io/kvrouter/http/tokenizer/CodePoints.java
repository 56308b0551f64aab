package io.kvrouter.http.tokenizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The code points that a candidate treats otherwise than the oracle: newer in one's Unicode tables than in the other's.
 * Text with one of them is the oracle's.
 */
final class CodePoints {
    private static final int END = 0x2_0000;
    private static final int CHUNK = 64;

    /** Below it are the characters of most texts: a tokenizer that differs there fails the self-test. */
    private static final int ALWAYS = 0x80;

    /** Large blocks that have been the same since long: Han, Hangul, surrogates and private use. */
    private static final int[][] SETTLED = {{0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xD800, 0xF8FF}};

    private CodePoints() {}

    /** Tries them all, in the first two planes; about two seconds of the oracle's time. */
    static BitSet differing(PieceTokenizer candidate, NativeTokenizer oracle) {
        BitSet differing = new BitSet();
        List<Integer> chunk = new ArrayList<>();
        for (int codePoint = ALWAYS; codePoint < END; codePoint++) {
            if (!isSettled(codePoint)) {
                chunk.add(codePoint);
            }
            if (chunk.size() == CHUNK || codePoint == END - 1) {
                compare(chunk, candidate, oracle, differing);
                chunk.clear();
            }
        }
        return differing;
    }

    /** Whether one of them is in a text. */
    static boolean in(BitSet codePoints, String text) {
        if (codePoints.isEmpty()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ALWAYS && codePoints.get(text.codePointAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSettled(int codePoint) {
        for (int[] block : SETTLED) {
            if (codePoint >= block[0] && codePoint <= block[1]) {
                return true;
            }
        }
        return false;
    }

    private static void compare(
            List<Integer> chunk, PieceTokenizer candidate, NativeTokenizer oracle, BitSet differing) {
        var text = new StringBuilder();
        chunk.forEach(codePoint -> inContexts(codePoint, text));
        String together = text.toString();
        if (Arrays.equals(candidate.tokens(together, true), oracle.tokens(together, false))) {
            return;
        }
        if (chunk.size() == 1) {
            differing.set(chunk.getFirst());
            return;
        }
        int half = chunk.size() / 2;
        compare(chunk.subList(0, half), candidate, oracle, differing);
        compare(chunk.subList(half, chunk.size()), candidate, oracle, differing);
    }

    /** Where it tells whether it counts as letter, digit, blank, mark or something else. */
    private static void inContexts(int codePoint, StringBuilder text) {
        text.append('a').appendCodePoint(codePoint).append("a 1").appendCodePoint(codePoint).appendCodePoint(codePoint);
        text.append("!").appendCodePoint(codePoint).append("\n");
    }
}
