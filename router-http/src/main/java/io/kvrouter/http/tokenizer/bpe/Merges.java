package io.kvrouter.http.tokenizer.bpe;

import java.util.Arrays;

/** Which pairs of tokens merge, and how early: the lower the rank, the earlier. */
final class Merges {
    /** What {@link #get} answers for a pair that does not merge: later than every merge. */
    static final long NONE = Long.MAX_VALUE;

    private static final long FREE = -1;
    private static final long PRIME = 0x9E3779B97F4A7C15L;

    private final long[] pairs;
    private final long[] merges;
    private final int shift;
    private final int mask;

    /** For at most that many pairs. */
    Merges(int entries) {
        int capacity = Integer.highestOneBit(Math.max(1, entries)) << 2;
        this.pairs = new long[capacity];
        this.merges = new long[capacity];
        this.mask = capacity - 1;
        this.shift = Long.SIZE - Integer.numberOfTrailingZeros(capacity);
        Arrays.fill(pairs, FREE);
    }

    /** A pair that is put again takes the later rank, as in Hugging Face's table. */
    void put(int left, int right, int rank, int merged) {
        int slot = slot(pair(left, right));
        pairs[slot] = pair(left, right);
        merges[slot] = ((long) rank << Integer.SIZE) | merged;
    }

    /** Rank in the upper half, the merged token's id in the lower; {@link #NONE} if the pair does not merge. */
    long get(int left, int right) {
        long pair = pair(left, right);
        int slot = slot(pair);
        return pairs[slot] == pair ? merges[slot] : NONE;
    }

    static int rank(long merge) {
        return (int) (merge >>> Integer.SIZE);
    }

    static int merged(long merge) {
        return (int) merge;
    }

    private static long pair(int left, int right) {
        return ((long) left << Integer.SIZE) | right;
    }

    /** Where a pair is, or would be. */
    private int slot(long pair) {
        int slot = (int) ((pair * PRIME) >>> shift);
        while (pairs[slot] != FREE && pairs[slot] != pair) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
