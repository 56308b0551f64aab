package io.kvrouter.bench.workload;

import java.util.Arrays;
import java.util.Optional;

/**
 * System prompts that sessions share, the n-th most frequent a n-th as often as the first (Zipf's law with exponent 1).
 * Their blocks have the same numbers in all sessions.
 */
final class SystemPrompts {
    private static final int BLOCKS_EACH = 1 << 10;
    private static final int MOST = 100_000;

    /** The probability of each and of those before it. */
    private final double[] cumulative;

    /** @param count how many there are; 0 = sessions share nothing */
    SystemPrompts(int count) {
        if (count < 0 || count > MOST) {
            throw new IllegalArgumentException("system-prompts: " + count + " (expected: 0 to " + MOST + ")");
        }
        cumulative = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += 1.0 / (i + 1);
            cumulative[i] = sum;
        }
        for (int i = 0; i < count; i++) {
            cumulative[i] /= sum;
        }
    }

    int count() {
        return cumulative.length;
    }

    /** So many blocks from the start of one of them; empty if there are none. */
    Optional<BlockRun> draw(Draws draws, int blocks) {
        if (cumulative.length == 0) {
            return Optional.empty();
        }
        int found = Arrays.binarySearch(cumulative, draws.uniform(0, 1));
        int prompt = Math.min(found < 0 ? -found - 1 : found, cumulative.length - 1);
        return Optional.of(new BlockRun(BlockRun.FIRST_SHARED + prompt * BLOCKS_EACH, Math.min(blocks, BLOCKS_EACH)));
    }
}
