package io.kvrouter.load;

import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.kvrouter.worker.WorkerKey;

/**
 * Where a request can go: one rank of one life of a worker.
 *
 * @param key names it in the replicated load
 * @param stableKey the same in every life of the worker
 * @param blockSize tokens in a KV block
 * @param capacity KV blocks that its cache holds; 0 if that is not known
 */
public record Place(WorkerId worker, int rank, long key, long stableKey, int blockSize, long capacity) {
    public static Place of(Worker worker, int rank) {
        return new Place(
                worker.id(),
                rank,
                WorkerKey.of(worker, rank),
                WorkerKey.of(worker.id(), 0, rank),
                worker.blockSize(),
                worker.facts().kvBlocks().orElse(0L));
    }
}
