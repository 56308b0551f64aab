package io.kvrouter.overlap;

import io.kvrouter.kv.Chain;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.index.Overlaps;
import io.kvrouter.overlap.FleetCaches.Kind;
import io.kvrouter.overlap.FleetCaches.Trust;

/** What a prompt meets in all caches of one kind: each index is walked once. Used again, allocates nothing. */
public final class Walk {
    private final FleetCaches caches;
    private final Overlaps events = new Overlaps();
    private final Overlaps active = new Overlaps();
    private final Overlaps recent = new Overlaps();
    private boolean indexed;
    private boolean exact;
    private int blockSize;
    private Chain chain = Chain.EMPTY;

    Walk(FleetCaches caches) {
        this.caches = caches;
    }

    void begin(Kind kind, Prompt prompt) {
        exact = prompt.exact();
        blockSize = kind.blockSize();
        chain = prompt.chain(blockSize);
        KvIndex index = kind.index();
        indexed = index != null;
        if (index != null) {
            index.overlaps(chain.hashes(), events);
        }
        caches.fleet().active().overlaps(chain.marks(), active);
        caches.recent().prompts().overlaps(chain.marks(), recent);
    }

    /** The prompt in blocks. */
    public Chain chain() {
        return chain;
    }

    /** Tokens in a block. */
    public int blockSize() {
        return blockSize;
    }

    /** Blocks that this node's requests hold at the place. */
    public int active(int place) {
        return chain.blocks(active.device(caches.activeCache(place)));
    }

    /**
     * What the place's cache holds. What this node's own requests are computing there counts: an engine tells of blocks
     * when they are done, and the next equal prompt comes before.
     *
     * @param own {@link #active} there
     */
    public Overlap overlap(int place, int own) {
        Trust trust = caches.trust(place);
        if (trust == Trust.IGNORED) {
            return Overlap.NONE;
        }
        boolean told = exact && trust == Trust.WHOLLY;
        int sent = told ? own : Math.max(own, chain.blocks(recent.device(caches.recentCache(place))));
        return indexed ? found(caches.eventCache(place), sent) : Overlap.onDevice(sent);
    }

    private Overlap found(int cache, int own) {
        int device = Math.max(own, events.device(cache));
        int host = Math.max(device, events.device(cache) + events.host(cache));
        int disk = Math.max(host, events.device(cache) + events.host(cache) + events.disk(cache));
        return new Overlap(device, host - device, disk - host);
    }
}
