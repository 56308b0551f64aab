package io.kvrouter.kv.fleet;

import io.kvrouter.kv.stream.StreamState;
import io.kvrouter.kv.stream.StreamStatus;
import io.kvrouter.worker.WorkerId;
import java.util.List;

/**
 * What this node knows of one worker's KV cache, for the operator.
 *
 * @param blockSize tokens in a block of its partition
 * @param ranks in their order
 * @param warnings one sentence each
 */
public record WorkerKvStatus(
        WorkerId worker, PartitionKey partition, int blockSize, List<RankStatus> ranks, List<String> warnings) {
    /**
     * The events of one rank.
     *
     * @param state how far the rank's cache can be trusted; never better than the stream's own
     */
    public record RankStatus(RankSource source, StreamState state, StreamStatus stream) {}

    public WorkerKvStatus {
        ranks = List.copyOf(ranks);
        warnings = List.copyOf(warnings);
    }

    /** Blocks of all its ranks. */
    public long blocks() {
        return ranks.stream().mapToLong(rank -> rank.stream().blocks()).sum();
    }
}
