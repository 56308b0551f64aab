package io.kvrouter.kv.recent;

import io.kvrouter.kv.Chain;
import io.kvrouter.kv.index.ActivePrompts;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a worker's KV cache is taken to hold, by the prompts that went there lately. Not safe for several threads. */
public final class RecentCache {
    private record Sent(Chain chain, long lastUse) {}

    private final int number;
    private final ActivePrompts all;
    private final Map<Long, Sent> prompts = new LinkedHashMap<>(); // in the order of their last use
    private long blocks;

    RecentCache(int number, ActivePrompts all) {
        this.number = number;
        this.all = all;
    }

    /** Its number in {@link RecentPrompts#prompts}. */
    public int number() {
        return number;
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
            blocks += chain.lastBlocks(all.hold(number, chain.marks()));
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

    private Sent oldest() {
        return prompts.values().iterator().next();
    }

    private void forgetOldest() {
        var oldest = prompts.values().iterator();
        Chain chain = oldest.next().chain;
        oldest.remove();
        blocks -= chain.lastBlocks(all.release(number, chain.marks()));
    }
}
