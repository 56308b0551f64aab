package io.kvrouter.kv.fleet;

import com.carrotsearch.hppc.LongObjectHashMap;
import io.kvrouter.kv.index.KvCache;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.stream.StreamState;

/** A view of caches that a benchmark filled itself, as if live events had. */
public final class FilledView {
    private final LongObjectHashMap<CacheOf> caches = new LongObjectHashMap<>();
    private final Partition partition;

    public FilledView(int blockSize, KvIndex index) {
        partition = new Partition(new PartitionKey("default", "m"), blockSize, index);
    }

    public void put(long place, KvCache cache) {
        caches.put(place, new CacheOf(partition, cache.number(), () -> StreamState.LIVE));
    }

    public CacheView view() {
        return new CacheView(1, caches);
    }
}
