package io.kvrouter.kv.index;

import io.kvrouter.kv.BlockHashes;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * An index as a large fleet fills it: 1,024 caches hold 10 million blocks in all, 13 million (cache, block) pairs.
 * Prompts of one length begin with 64 blocks that all have in common and 236 that 32 applications have; every fourth is
 * on a second worker too, up to its half; one in eight has lost its last third to eviction, one in sixteen has a hole.
 */
final class FilledIndex {
    static final int CACHES = 1_024;
    private static final long BLOCKS = 10_000_000;
    private static final int COMMON = 64;
    private static final int APPLICATIONS = 32;
    private static final int OF_APPLICATION = 236;
    private static final int EVENT = 128;

    final KvIndex index = new KvIndex(1L << 40, 0x5EED);
    final KvCache[] caches = new KvCache[CACHES];
    private final int length;
    private final int prompts;

    /** @param length of the prompts, in blocks */
    FilledIndex(int length) {
        this.length = length;
        this.prompts = (int) (BLOCKS / Math.max(1, length - Math.min(length / 2, COMMON + OF_APPLICATION)));
        Arrays.setAll(caches, i -> index.open());
        for (int prompt = 0; prompt < prompts; prompt++) {
            place(prompt);
        }
    }

    int prompts() {
        return prompts;
    }

    private void place(int prompt) {
        SplittableRandom random = new SplittableRandom(prompt);
        long[] blocks = blocks(prompt);
        int worker = random.nextInt(CACHES);
        store(caches[worker], worker, blocks);
        if (prompt % 4 == 0) {
            int second = random.nextInt(CACHES);
            store(caches[second], second, Arrays.copyOf(blocks, length / 2));
        }
        long[] engineHashes = engineHashes(worker, blocks);
        if (prompt % 8 == 1) {
            caches[worker].remove(Tier.DEVICE, Arrays.copyOfRange(engineHashes, length - length / 3, length));
        } else if (prompt % 16 == 2) {
            int hole = length - 1 - random.nextInt(length / 4 + 1);
            caches[worker].remove(Tier.DEVICE, Arrays.copyOfRange(engineHashes, hole, hole + 1));
        }
    }

    /** The blocks' own hashes. */
    long[] blocks(int prompt) {
        long[] blocks = new long[length];
        for (int i = 0; i < length; i++) {
            long owner = i < COMMON && i < length / 4
                    ? -1
                    : i < COMMON + OF_APPLICATION && i < length / 2 ? prompt % APPLICATIONS : prompt + 1_000L;
            blocks[i] = mix(owner * 0x1_0000_0001L + i);
        }
        return blocks;
    }

    /** The sequence hashes. */
    long[] chain(int prompt) {
        return BlockHashes.chain(blocks(prompt));
    }

    static long[] engineHashes(int worker, long[] blocks) {
        long[] chain = BlockHashes.chain(blocks);
        return Arrays.stream(chain).map(sequence -> sequence ^ mix(worker)).toArray();
    }

    /** Stores a prompt in events of 8,192 tokens. */
    static void store(KvCache cache, int worker, long[] blocks) {
        store(cache, engineHashes(worker, blocks), blocks);
    }

    static void store(KvCache cache, long[] engineHashes, long[] blocks) {
        for (int from = 0; from < blocks.length; from += EVENT) {
            int to = Math.min(blocks.length, from + EVENT);
            long[] some = Arrays.copyOfRange(blocks, from, to);
            long[] someHashes = Arrays.copyOfRange(engineHashes, from, to);
            if (from == 0) {
                cache.storeFirst(Tier.DEVICE, someHashes, some);
            } else {
                cache.storeAfter(engineHashes[from - 1], Tier.DEVICE, someHashes, some);
            }
        }
    }

    static long mix(long value) {
        long z = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
