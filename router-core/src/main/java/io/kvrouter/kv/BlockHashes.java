package io.kvrouter.kv;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Block and sequence hashes of a prompt, bit by bit those of NVIDIA Dynamo. A block hash covers one complete block's
 * own content; a sequence hash covers the block and all before it, so equal sequence hashes mean equal prefixes.
 */
public final class BlockHashes {
    private static final long SEED = 1_337;
    private static final Hasher64 CHAIN = Hashing.xxh3_64(SEED);
    private static final Hasher64 ADAPTER = Hashing.xxh3_64(0);
    private static final Hasher64 SALT = Hashing.xxh3_64(1);

    private BlockHashes() {}

    /** The seed of the block hashes: an adapter and a cache salt make other blocks of the same tokens; empty adds none. */
    public static long seed(String adapter, String cacheSalt) {
        long seed = SEED;
        if (!adapter.isEmpty()) {
            seed += ADAPTER.hashBytesToLong(adapter.getBytes(StandardCharsets.UTF_8));
        }
        if (!cacheSalt.isEmpty()) {
            seed += SALT.hashBytesToLong(cacheSalt.getBytes(StandardCharsets.UTF_8));
        }
        return seed;
    }

    /** The hashes of the complete blocks of token ids, each id four bytes little-endian. */
    public static long[] ofTokens(int[] tokens, int blockSize, long seed) {
        byte[] bytes = new byte[tokens.length * Integer.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(tokens);
        return ofBytes(bytes, blockSize * Integer.BYTES, seed);
    }

    /** The hashes of the complete chunks of a text, for engines whose tokens are not known. */
    public static long[] ofBytes(byte[] bytes, int chunkBytes, long seed) {
        Hasher64 hasher = Hashing.xxh3_64(seed);
        long[] hashes = new long[bytes.length / chunkBytes];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = hasher.hashBytesToLong(bytes, i * chunkBytes, chunkBytes);
        }
        return hashes;
    }

    /** The sequence hashes of consecutive blocks: the first is the block's own, each later one chains the one before. */
    public static long[] chain(long[] blocks) {
        long[] chain = blocks.clone();
        for (int i = 1; i < chain.length; i++) {
            chain[i] = CHAIN.hashLongLongToLong(chain[i - 1], blocks[i]);
        }
        return chain;
    }

    /** The sequence hashes of consecutive blocks that follow a parent, from the parent's sequence hash on. */
    public static long[] chainAfter(long parent, long[] blocks) {
        long[] chain = new long[blocks.length];
        long before = parent;
        for (int i = 0; i < chain.length; i++) {
            before = CHAIN.hashLongLongToLong(before, blocks[i]);
            chain[i] = before;
        }
        return chain;
    }
}
