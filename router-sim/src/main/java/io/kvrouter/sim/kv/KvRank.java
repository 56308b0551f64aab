package io.kvrouter.sim.kv;

/**
 * One rank of a worker, as its stream needs to know it.
 *
 * @param ports the worker's, of all its ranks
 * @param ranks of the worker
 */
public record KvRank(KvEventSettings ports, int rank, int ranks, int blockSize) {
    int eventPort() {
        return ports.eventPort(rank);
    }

    int replayPort() {
        return ports.replayPort(rank, ranks);
    }
}
