package io.kvrouter.kv.stream;

import io.kvrouter.kv.event.CacheChunk;
import java.util.List;

/**
 * What one node knows of a rank, for another one: its blocks, and the place in the engine's events that they stand for.
 *
 * @param place which batches are in it
 */
public record RankSnapshot(Place place, List<CacheChunk> chunks) {
    /**
     * A place in a rank's events.
     *
     * @param next sequence number of the first batch that is not in it
     * @param fingerprint of the batch before, by which a node sees whether the engine is still the same
     * @param lost whether batches before are missing
     * @param group the KV cache group that counts
     */
    public record Place(long next, long fingerprint, boolean lost, int group) {}

    public RankSnapshot {
        chunks = List.copyOf(chunks);
    }
}
