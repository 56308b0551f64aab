package io.kvrouter.bench.workload;

/**
 * Neighbouring blocks of a prompt, whose numbers follow one another.
 *
 * @param first number of the first one, in its session alone; the same content has the same number
 * @param count of blocks
 */
public record BlockRun(int first, int count) {
    public BlockRun {
        if (first < 0 || count < 1) {
            throw new IllegalArgumentException("blocks: " + count + " from " + first + " (expected: >= 1 from >= 0)");
        }
    }
}
