package io.kvrouter.kv;

import io.kvrouter.kv.index.KvCache;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a worker's KV cache is taken to hold, by the prompts that went there lately. Not safe for several threads. */
public final class RecentCache {
    private record Sent(Chain chain, long lastUse) {}

    private final KvCache cache;
    private final Map<Long, Sent> prompts = new LinkedHashMap<>(); // in the order of their last use
    private long blocks;

    RecentCache(KvCache cache) {
        this.cache = cache;
    }

    /** Its number in {@link RecentPrompts#index}. */
    public int number() {
        return cache.number();
    }

    /** Blocks that it is taken to hold; what prompts have in common counts once. */
    long blocks() {
        return blocks;
    }

    /** A prompt was sent. Its last block names it, and all blocks before. */
    void touch(Chain chain, long now) {
        if (chain.length() == 0) {
            return;
        }
        long last = chain.hashes()[chain.length() - 1];
        Sent before = prompts.remove(last);
        prompts.put(last, new Sent(chain, now));
        if (before == null) {
            blocks += chain.lastBlocks(cache.hold(chain.marks()));
        }
    }

    void forgetBefore(long time) {
        while (!prompts.isEmpty() && oldest().lastUse < time) {
            forgetOldest();
        }
    }

    void forgetBeyond(long capacity) {
        while (blocks > capacity) {
            forgetOldest();
        }
    }

    void close() {
        cache.close();
    }

    private Sent oldest() {
        return prompts.values().iterator().next();
    }

    private void forgetOldest() {
        var oldest = prompts.values().iterator();
        Chain chain = oldest.next().chain;
        oldest.remove();
        blocks -= chain.lastBlocks(cache.release(chain.marks()));
    }
}
