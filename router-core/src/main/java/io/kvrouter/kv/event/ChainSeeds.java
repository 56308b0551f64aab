package io.kvrouter.kv.event;

import com.carrotsearch.hppc.LongLongHashMap;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.kvrouter.kv.BlockHashes;
import io.kvrouter.kv.index.BlockBatch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes the block hashes of a rank's events. A cache salt is told with a chain's first block only, but seeds the hashes
 * of all: so the salt of salted blocks is remembered by the engine's hash, about 25 bytes a block, until they leave.
 */
final class ChainSeeds {
    private static final long UNSALTED = BlockHashes.seed("", "");
    private static final Hasher64 OPAQUE = Hashing.xxh3_64(2);

    private final LongLongHashMap salts = new LongLongHashMap();

    /** What the salt of a chain adds to the seed; 0 = none. */
    long saltOf(BlocksStored event) {
        Long parent = event.lineage().parent();
        if (parent != null) {
            return salts.getOrDefault(parent, 0);
        }
        BlockKeys first = event.lineage().keys(0);
        if (first == null) {
            return 0;
        }
        String adapter = adapter(event.lineage(), first);
        return first.salt().isEmpty()
                ? first.texts().stream()
                        .filter(text -> !text.equals(adapter))
                        .findFirst()
                        .map(ChainSeeds::salt)
                        .orElse(0L)
                : salt(first.salt());
    }

    /** The hashes of the event's blocks, which has all their tokens. */
    long[] blockHashes(BlocksStored event, long salt) {
        Lineage lineage = event.lineage();
        long seed = BlockHashes.seed(adapter(lineage, lineage.keys(0)), "") + salt;
        long[] hashes = BlockHashes.ofTokens(event.tokens(), event.blockSize(), seed);
        for (int i = 0; i < lineage.keys().size() && i < hashes.length; i++) {
            BlockKeys keys = lineage.keys(i);
            long opaque = keys == null ? 0 : opaque(keys, adapter(lineage, keys), salt);
            if (opaque != 0) {
                int from = i * event.blockSize();
                int[] tokens = Arrays.copyOfRange(event.tokens(), from, from + event.blockSize());
                hashes[i] = BlockHashes.ofTokens(tokens, event.blockSize(), seed + opaque)[0];
            }
        }
        return hashes;
    }

    private static String adapter(Lineage lineage, @Nullable BlockKeys keys) {
        return lineage.adapter().isEmpty() && keys != null ? keys.adapter() : lineage.adapter();
    }

    /** What no request can be keyed with: a block that has it gets a hash that no prompt of text has. */
    private static long opaque(BlockKeys keys, String adapter, long salt) {
        long opaque = keys.opaque();
        for (String text : keys.texts()) {
            if (!text.equals(adapter) && salt(text) != salt) {
                opaque += OPAQUE.hashBytesToLong(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return opaque;
    }

    private static long salt(String text) {
        return BlockHashes.seed("", text) - UNSALTED;
    }

    void stored(long[] engineHashes, long salt) {
        if (salt != 0) {
            for (long hash : engineHashes) {
                salts.put(hash, salt);
            }
        }
    }

    /** The salts of blocks by the engine's hashes, for another node. */
    CacheChunk.Salts of(BlockBatch blocks) {
        if (salts.isEmpty()) {
            return CacheChunk.Salts.NONE;
        }
        long[] column = new long[blocks.rows()];
        for (int row = 0; row < column.length; row++) {
            column[row] = salts.getOrDefault(blocks.engineHash(row), 0);
        }
        return new CacheChunk.Salts(column);
    }

    void restore(CacheChunk chunk) {
        for (int row = 0; row < chunk.blocks().rows() && !chunk.salts().isEmpty(); row++) {
            if (chunk.salts().of(row) != 0) {
                salts.put(chunk.blocks().engineHash(row), chunk.salts().of(row));
            }
        }
    }

    /** Blocks left a tier; what another tier or copy still holds is kept. */
    void removed(long[] engineHashes, LongPredicate held) {
        if (salts.isEmpty()) {
            return;
        }
        for (long hash : engineHashes) {
            if (!held.test(hash)) {
                salts.remove(hash);
            }
        }
        if (salts.isEmpty()) {
            clear();
        }
    }

    void clear() {
        salts.release();
    }

    /** Blocks whose salt is remembered. */
    int size() {
        return salts.size();
    }
}
