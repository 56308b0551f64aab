package io.kvrouter.kv;

import com.dynatrace.hash4j.hashing.Hashing;

/**
 * A prompt's blocks as its caller hashed them. For workers with blocks of another size there are as many blocks as the
 * prompt has there, equal where the prompts are equal so far: they count as load and match each other, and no engine's.
 */
final class GivenBlocks {
    private final long[] sequence;
    private final int blockSize;
    private final long tokens;

    GivenBlocks(long[] sequence, int blockSize, long tokens) {
        this.sequence = sequence;
        this.blockSize = blockSize;
        this.tokens = tokens;
    }

    Chain in(int size) {
        if (size == blockSize || sequence.length == 0) {
            return Chain.of(sequence);
        }
        var hasher = Hashing.xxh3_64(size);
        long[] hashes = new long[(int) (tokens / size)];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = hasher.hashLongLongToLong(at((i + 1L) * size), i);
        }
        return Chain.of(hashes);
    }

    /** What the prompt is up to so many tokens: the hash of the block that covers the last of them. */
    long prefixHash(int prefixTokens) {
        return sequence.length == 0 ? 0 : at(Math.min(prefixTokens, tokens));
    }

    private long at(long end) {
        return sequence[(int) Math.min(Math.ceilDiv(end, blockSize), sequence.length) - 1];
    }
}
