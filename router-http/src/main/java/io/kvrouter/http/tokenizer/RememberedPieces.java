package io.kvrouter.http.tokenizer;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** Looks pieces up before it tokenizes them. Its hashes are this model's own, and this process's. */
final class RememberedPieces implements PieceTokenizer {
    /** Shorter pieces are tokenized about as fast as found. */
    private static final int SHORTEST = 64;

    private final PieceTokenizer fresh;
    private final SegmentCache cache;
    private final Hasher128 ofFirst =
            Hashing.xxh3_128(ThreadLocalRandom.current().nextLong());
    private final Hasher128 ofOthers;

    /** @param sameAnywhere a piece has the same ids wherever it stands */
    RememberedPieces(PieceTokenizer fresh, SegmentCache cache, boolean sameAnywhere) {
        this.fresh = fresh;
        this.cache = cache;
        this.ofOthers = sameAnywhere
                ? ofFirst
                : Hashing.xxh3_128(ThreadLocalRandom.current().nextLong());
    }

    @Override
    public int[] tokens(String piece, boolean first) {
        if (piece.length() < SHORTEST) {
            return fresh.tokens(piece, first);
        }
        HashValue128 hash = (first ? ofFirst : ofOthers).hashBytesTo128Bits(piece.getBytes(StandardCharsets.UTF_8));
        int[] known = cache.get(hash);
        if (known != null) {
            return known;
        }
        int[] ids = fresh.tokens(piece, first);
        cache.put(hash, ids);
        return ids;
    }
}
