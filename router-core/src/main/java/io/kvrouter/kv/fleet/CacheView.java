package io.kvrouter.kv.fleet;

import com.carrotsearch.hppc.LongObjectHashMap;
import io.kvrouter.kv.index.KnownCaches;

/** How each place's cache is seen: an immutable snapshot, replaced whole. */
final class CacheView {
    /** No caches. */
    public static final CacheView EMPTY = new CacheView(0, new LongObjectHashMap<>());

    private final long version;
    private final LongObjectHashMap<KnownCaches.Sight> sights;

    private CacheView(long version, LongObjectHashMap<KnownCaches.Sight> sights) {
        this.version = version;
        this.sights = sights;
    }

    /** The next snapshot; this one, if nothing has changed. */
    CacheView with(LongObjectHashMap<KnownCaches.Sight> changed) {
        return sights.equals(changed) ? this : new CacheView(version + 1, changed);
    }

    long version() {
        return version;
    }

    KnownCaches.Sight of(long place) {
        return sights.getOrDefault(place, KnownCaches.Sight.NO_EVENTS);
    }
}
