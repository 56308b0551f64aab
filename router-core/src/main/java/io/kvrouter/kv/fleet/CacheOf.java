package io.kvrouter.kv.fleet;

import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.stream.StreamState;
import java.util.function.Supplier;

/** Where the cache of one rank of a worker is found in the index. Safe for use by several threads. */
public final class CacheOf {
    private final Partition partition;
    private final int number;
    private final Supplier<StreamState> state;

    CacheOf(Partition partition, int number, Supplier<StreamState> state) {
        this.partition = partition;
        this.number = number;
        this.state = state;
    }

    public KvIndex index() {
        return partition.index();
    }

    /** The cache's number in {@link io.kvrouter.kv.index.Overlaps} of this index. */
    public int number() {
        return number;
    }

    /** Tokens in a block of this index: what a prompt's chain must be made with. */
    public int blockSize() {
        return partition.blockSize();
    }

    /** How far the cache can be trusted, now. */
    public StreamState state() {
        return state.get();
    }
}
