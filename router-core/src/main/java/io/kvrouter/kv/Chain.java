package io.kvrouter.kv;

/**
 * The complete blocks of a prompt, as sequence hashes, and a sample of them.
 *
 * <p>What this node remembers of its own choices it remembers by the sample: each of the first 64 blocks, every 32nd of
 * the rest, and the last one. So 100,000 tokens in blocks of 64 are 111 marks and not 1,563 hashes, and an overlap that
 * is found by them is short by at most 31 blocks, and never too long. Equal prompts have equal marks.
 */
public final class Chain {
    /** No complete block. */
    public static final Chain EMPTY = of(new long[0]);

    private static final int EACH = 64;
    private static final int STRIDE = 32;

    private final long[] hashes;
    private final long[] marks;

    private Chain(long[] hashes, long[] marks) {
        this.hashes = hashes;
        this.marks = marks;
    }

    /** Of sequence hashes; the array is shared. */
    public static Chain of(long[] hashes) {
        int count = hashes.length <= EACH ? hashes.length : EACH + Math.ceilDiv(hashes.length - EACH, STRIDE);
        long[] marks = new long[count];
        for (int i = 0; i < count; i++) {
            marks[i] = hashes[Math.min(grid(i + 1), hashes.length) - 1];
        }
        return new Chain(hashes, marks);
    }

    /** Blocks up to the end of so many marks, in a chain that goes on behind them. */
    private static int grid(int count) {
        return count <= EACH ? count : EACH + (count - EACH) * STRIDE;
    }

    /** The sequence hash of each block. The array is shared: not to be written. */
    public long[] hashes() {
        return hashes;
    }

    /** The sample. The array is shared: not to be written. */
    public long[] marks() {
        return marks;
    }

    /** How many blocks there are. */
    public int length() {
        return hashes.length;
    }

    /** How many blocks the first so many marks stand for. */
    public int blocks(int count) {
        return Math.min(grid(count), hashes.length);
    }

    /**
     * How many blocks the last so many marks stand for. Whoever holds a block holds all before it, so what one prompt
     * alone holds of several is at its end.
     */
    public int lastBlocks(int count) {
        return hashes.length - blocks(marks.length - count);
    }
}
