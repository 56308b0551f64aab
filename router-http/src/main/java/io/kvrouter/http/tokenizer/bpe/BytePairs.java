package io.kvrouter.http.tokenizer.bpe;

import com.carrotsearch.hppc.IntArrayList;

/**
 * Byte pair encoding of one word: as long as two neighbours merge, the pair of the lowest rank does, the leftmost of
 * equals first.
 *
 * <p>Words of a text are short: their pairs are scanned for the lowest. A word of more than {@value #SCANNED} bytes
 * goes through a heap, so that half a megabyte without a blank costs n log n and not n squared. Not for several
 * threads: the arrays are used again.
 */
final class BytePairs {
    private static final int SCANNED = 48;

    private final int[] ofByte;
    private final Merges merges;
    private final int[] ids = new int[SCANNED];
    private final long[] pairs = new long[SCANNED];

    /** @param ofByte the token of each single byte */
    BytePairs(int[] ofByte, Merges merges) {
        this.ofByte = ofByte;
        this.merges = merges;
    }

    /** Adds the tokens of the first bytes of a buffer. */
    void encode(byte[] word, int length, IntArrayList out) {
        if (length > SCANNED) {
            new LongWord(ofByte, merges, word, length).encode(out);
            return;
        }
        for (int i = 0; i < length; i++) {
            ids[i] = ofByte[word[i] & 0xFF];
        }
        for (int i = 0; i + 1 < length; i++) {
            pairs[i] = merges.get(ids[i], ids[i + 1]);
        }
        out.add(ids, 0, merge(length));
    }

    private int merge(int length) {
        int left = length;
        for (int at = lowest(left); at >= 0; at = lowest(left)) {
            ids[at] = Merges.merged(pairs[at]);
            left--;
            System.arraycopy(ids, at + 2, ids, at + 1, left - at - 1);
            System.arraycopy(pairs, at + 1, pairs, at, left - at - 1);
            if (at > 0) {
                pairs[at - 1] = merges.get(ids[at - 1], ids[at]);
            }
            if (at + 1 < left) {
                pairs[at] = merges.get(ids[at], ids[at + 1]);
            }
        }
        return left;
    }

    /** Where the pair of the lowest rank is; negative if none merges. */
    private int lowest(int length) {
        long lowest = Merges.NONE;
        int at = -1;
        for (int i = 0; i + 1 < length; i++) {
            if (pairs[i] < lowest) {
                lowest = pairs[i];
                at = i;
            }
        }
        return at;
    }
}
