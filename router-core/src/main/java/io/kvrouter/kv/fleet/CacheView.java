package io.kvrouter.kv.fleet;

import com.carrotsearch.hppc.LongObjectHashMap;
import java.util.Optional;

/** Which place's cache is where: an immutable snapshot, replaced whole. */
public final class CacheView {
    /** No caches. */
    public static final CacheView EMPTY = new CacheView(0, new LongObjectHashMap<>());

    private final long version;
    private final LongObjectHashMap<CacheOf> caches;

    CacheView(long version, LongObjectHashMap<CacheOf> caches) {
        this.version = version;
        this.caches = caches;
    }

    /** Another one for every snapshot: what a reader made of this one is good as long as it is the same. */
    public long version() {
        return version;
    }

    /** Whether it has these caches and no others. */
    boolean shows(LongObjectHashMap<CacheOf> others) {
        return caches.equals(others);
    }

    /**
     * The cache of a place; empty where its worker publishes no events.
     *
     * @param place key of a worker's rank, see {@link io.kvrouter.worker.WorkerKey}
     */
    public Optional<CacheOf> of(long place) {
        return Optional.ofNullable(caches.get(place));
    }
}
