package io.kvrouter.bench.workload;

/**
 * Neighbouring blocks of a prompt, whose numbers follow one another.
 *
 * @param first number of the first one; the same content has the same number, in its session alone or, where the
 *     run is shared, in all sessions
 * @param count of blocks
 */
public record BlockRun(int first, int count) {
    /** From this number on blocks are the same in all sessions. */
    static final int FIRST_SHARED = 1 << 30;

    public BlockRun {
        if (first < 0 || count < 1) {
            throw new IllegalArgumentException("blocks: " + count + " from " + first + " (expected: >= 1 from >= 0)");
        }
    }

    /** Whether other sessions have these blocks too. */
    public boolean isShared() {
        return first >= FIRST_SHARED;
    }
}
