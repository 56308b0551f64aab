package io.kvrouter.kv.index;

import io.kvrouter.kv.BlockHashes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@link KvCache} shall do, with maps: the model of the randomised tests. */
final class NaiveCache {
    private static final class Entry {
        final long sequence;
        int tiers;

        Entry(long sequence) {
            this.sequence = sequence;
        }
    }

    private final Map<Long, Entry> entries = new HashMap<>();

    boolean knows(long engineHash) {
        return entries.containsKey(engineHash);
    }

    List<Long> engineHashes() {
        return new ArrayList<>(entries.keySet());
    }

    long sequence(long engineHash) {
        return entries.getOrDefault(engineHash, new Entry(0)).sequence;
    }

    void storeFirst(Tier tier, long[] engineHashes, long[] blockHashes) {
        store(tier, engineHashes, BlockHashes.chain(blockHashes));
    }

    void storeAfter(long parent, Tier tier, long[] engineHashes, long[] blockHashes) {
        store(tier, engineHashes, BlockHashes.chainAfter(sequence(parent), blockHashes));
    }

    private void store(Tier tier, long[] engineHashes, long[] chain) {
        for (int i = 0; i < chain.length; i++) {
            Entry entry = entries.get(engineHashes[i]);
            if (entry == null || entry.sequence != chain[i]) {
                entry = new Entry(chain[i]);
                entries.put(engineHashes[i], entry);
            }
            entry.tiers |= tier.bit();
        }
    }

    int remove(Tier tier, long[] engineHashes) {
        int unknown = 0;
        for (long engineHash : engineHashes) {
            Entry entry = entries.get(engineHash);
            if (entry == null || (entry.tiers & tier.bit()) == 0) {
                unknown++;
                continue;
            }
            entry.tiers &= ~tier.bit();
            if (entry.tiers == 0) {
                entries.remove(engineHash);
            }
        }
        return unknown;
    }

    void clear() {
        entries.clear();
    }

    /** Sequence hashes, each with its tiers. */
    Map<Long, Integer> blocks() {
        Map<Long, Integer> blocks = new HashMap<>();
        entries.values().forEach(entry -> blocks.merge(entry.sequence, entry.tiers, (a, b) -> a | b));
        return blocks;
    }

    /** Where the overlap ends on the device, with the host, with the disk. */
    static List<Integer> overlap(Map<Long, Integer> blocks, long[] chain) {
        List<Integer> ends = new ArrayList<>();
        int wanted = 0;
        int end = 0;
        for (Tier tier : Tier.values()) {
            wanted |= tier.bit();
            while (end < chain.length && (blocks.getOrDefault(chain[end], 0) & wanted) != 0) {
                end++;
            }
            ends.add(end);
        }
        return ends;
    }
}
