package io.kvrouter.selection;

import io.kvrouter.kv.Chain;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.index.Overlaps;
import org.jspecify.annotations.Nullable;

/** What a prompt in blocks of one size meets in all caches: each index is walked once. Used again, allocates nothing. */
final class Walk {
    private final Overlaps events = new Overlaps();
    private final Overlaps active = new Overlaps();
    private final Overlaps recent = new Overlaps();
    private @Nullable KvIndex index;
    private int blockSize;
    private boolean exact;
    private Chain chain = Chain.EMPTY;

    void begin(FleetCaches caches, @Nullable KvIndex of, Prompt prompt, int size) {
        index = of;
        blockSize = size;
        exact = prompt.exact();
        chain = prompt.chain(size);
        if (of != null) {
            of.overlaps(chain.hashes(), events);
        }
        caches.fleet().active().overlaps(chain.marks(), active);
        caches.recent().prompts().overlaps(chain.marks(), recent);
    }

    boolean isOf(@Nullable KvIndex other, int size) {
        return index == other && blockSize == size;
    }

    Chain chain() {
        return chain;
    }

    /** Blocks that this node's requests hold at the place. */
    int active(FleetCaches caches, int place) {
        return chain.blocks(active.device(caches.fleet().own(place).number()));
    }

    /**
     * What the place's cache holds. What this node's own requests are computing there counts: an engine tells of blocks
     * when they are done, and the next equal prompt comes before.
     */
    Overlap overlap(FleetCaches caches, int place) {
        if (caches.ignored(place)) {
            return Overlap.NONE;
        }
        boolean told = exact && caches.live(place);
        int sent = told ? 0 : chain.blocks(recent.device(caches.recentCache(place)));
        int own = Math.max(sent, active(caches, place));
        return index == null ? Overlap.onDevice(own) : found(caches.eventCache(place), own);
    }

    private Overlap found(int cache, int own) {
        int device = Math.max(own, events.device(cache));
        int host = Math.max(device, events.device(cache) + events.host(cache));
        int disk = Math.max(host, events.device(cache) + events.host(cache) + events.disk(cache));
        return new Overlap(device, host - device, disk - host);
    }
}
