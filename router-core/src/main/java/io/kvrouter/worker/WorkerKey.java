package io.kvrouter.worker;

import com.dynatrace.hash4j.hashing.Hashing;

/**
 * The key of one rank of one life of a worker in the replicated load: a 64-bit hash of (id, incarnation, rank). Not an
 * index, since nodes number their workers differently; 1,024 workers collide with a probability of 3e-14.
 */
public final class WorkerKey {
    private WorkerKey() {}

    public static long of(WorkerId id, long incarnation, int rank) {
        return Hashing.xxh3_64()
                .hashStream()
                .putString(id.value())
                .putLong(incarnation)
                .putInt(rank)
                .getAsLong();
    }

    public static long of(Worker worker, int rank) {
        return of(worker.id(), worker.incarnation(), rank);
    }
}
