package io.kvrouter.kv.fleet;

import io.kvrouter.kv.fleet.WorkerKvStatus.RankStatus;
import io.kvrouter.kv.index.KvCache;
import io.kvrouter.kv.stream.RankStream;
import io.kvrouter.kv.stream.StreamState;
import java.util.function.Consumer;

/** A rank whose events are followed. Its feed belongs to it until it is closed. */
final class OpenRank {
    private final RankSource source;
    private final Partition partition;
    private final RankStream stream;
    private final EventSources.Feed feed;
    private final CacheOf cache;

    private long incarnation;
    private volatile boolean otherSize;

    OpenRank(RankSource source, Partition partition, KvCache cache, RankStream stream, EventSources.Feed feed) {
        this.source = source;
        this.partition = partition;
        this.stream = stream;
        this.feed = feed;
        this.cache = new CacheOf(partition, cache.number(), this::state);
    }

    /** Whether what is followed is what is wanted now. An incarnation that was known and is another is another life. */
    boolean serves(RankSource wanted, Partition wantedPartition, long wantedIncarnation) {
        boolean sameLife = incarnation == 0 || wantedIncarnation == 0 || incarnation == wantedIncarnation;
        return sameLife && source.equals(wanted) && partition.equals(wantedPartition);
    }

    /**
     * What the worker says of itself.
     *
     * @param life its incarnation; 0 = not known
     * @param blockSize the size of its blocks, as far as known
     */
    void told(long life, int blockSize) {
        incarnation = life == 0 ? incarnation : life;
        otherSize = blockSize != partition.blockSize();
    }

    StreamState state() {
        return otherSize ? StreamState.WRONG_BLOCK_SIZE : stream.state();
    }

    RankStatus status() {
        return new RankStatus(source, state(), stream.status());
    }

    CacheOf cache() {
        return cache;
    }

    Partition partition() {
        return partition;
    }

    /** The block size of its events; 0 while there was none. */
    int engineBlockSize() {
        return stream.status().engineBlockSize();
    }

    boolean wantsHelp() {
        return !otherSize && stream.wantsHelp();
    }

    void act(Consumer<RankStream> action) {
        feed.act(action);
    }

    void close() {
        feed.close();
    }
}
