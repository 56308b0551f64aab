package io.kvrouter.kv.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of caches that hold a block, each with the tiers it holds it in. Interned by its {@link Pool}: equal
 * sets are one object, so that comparing neighbours is comparing references, and a set that many blocks share is kept
 * once.
 */
final class HolderSet {
    /** A holder is a cache's number above the bits of its tiers. */
    static final int TIER_BITS = 3;

    static final int TIERS = (1 << TIER_BITS) - 1;

    static final HolderSet EMPTY = new HolderSet(new int[0], 0);

    /** Ascending by cache. */
    final int[] holders;

    /** Whether all of them hold the block on the device and nowhere else. */
    final boolean deviceOnly;

    /** This set alone, which is what most runs have. */
    final HolderSet[] alone = {this};

    private final int hash;
    private int uses;
    private @Nullable HolderSet next;

    private HolderSet(int[] holders, int hash) {
        this.holders = holders;
        this.hash = hash;
        boolean only = true;
        for (int holder : holders) {
            only &= (holder & TIERS) == Tier.DEVICE.bit();
        }
        this.deviceOnly = only;
    }

    /** The tiers in which the cache holds the block; 0 for none. */
    int tiers(int cache) {
        int at = find(holders, holders.length, cache);
        return at < 0 ? 0 : holders[at] & TIERS;
    }

    /** Where the cache's holder is, or -1 minus where it would be. */
    private static int find(int[] holders, int length, int cache) {
        int at = Arrays.binarySearch(holders, 0, length, cache << TIER_BITS);
        int from = at < 0 ? -1 - at : at; // no holder is without a tier, so the next one is the cache's, if any
        return from < length && holders[from] >>> TIER_BITS == cache ? from : -1 - from;
    }

    private long bytes() {
        return 80 + 4L * holders.length;
    }

    /** All sets that are in use, and counts by how many intervals. Belongs to the index's writer. */
    static final class Pool {
        private static final int SHARDS = 64;
        private static final int SMALLEST = 4;

        private final @Nullable HolderSet[][] shards = new HolderSet[SHARDS][SMALLEST];
        private final int[] sizes = new int[SHARDS];
        private int[] scratch = new int[16];
        private long bytes;

        long bytes() {
            return bytes;
        }

        /** The set with the tiers added to what the cache has in it. */
        HolderSet with(HolderSet set, int cache, int tiers) {
            return change(set, cache, set.tiers(cache) | tiers);
        }

        /** The set without the tiers. */
        HolderSet without(HolderSet set, int cache, int tiers) {
            return change(set, cache, set.tiers(cache) & ~tiers);
        }

        private HolderSet change(HolderSet set, int cache, int tiers) {
            int[] old = set.holders;
            int found = find(old, old.length, cache);
            int at = found < 0 ? -1 - found : found;
            int rest = found < 0 ? at : at + 1; // what follows in the old set
            int now = tiers == 0 ? at : at + 1; // where it goes in the new one
            int length = now + old.length - rest;
            if (scratch.length < length) {
                scratch = new int[length * 2];
            }
            System.arraycopy(old, 0, scratch, 0, at);
            System.arraycopy(old, rest, scratch, now, old.length - rest);
            int hash = found < 0 ? set.hash : set.hash - mix(old[at]);
            if (tiers != 0) {
                scratch[at] = (cache << TIER_BITS) | tiers;
                hash += mix(scratch[at]);
            }
            return length == 0 ? EMPTY : intern(length, hash);
        }

        private HolderSet intern(int length, int hash) {
            int shard = hash & (SHARDS - 1);
            @Nullable HolderSet[] buckets = shards[shard];
            for (HolderSet set = buckets[bucket(hash, buckets.length)]; set != null; set = set.next) {
                if (set.hash == hash && Arrays.equals(set.holders, 0, set.holders.length, scratch, 0, length)) {
                    return set;
                }
            }
            HolderSet fresh = new HolderSet(Arrays.copyOf(scratch, length), hash);
            bytes += fresh.bytes();
            if (++sizes[shard] > buckets.length) {
                resize(shard, buckets.length * 2);
            }
            link(shards[shard], fresh);
            return fresh;
        }

        void retain(HolderSet set) {
            set.uses++;
        }

        void release(HolderSet set) {
            if (--set.uses == 0 && set != EMPTY) {
                int shard = set.hash & (SHARDS - 1);
                unlink(shards[shard], set);
                bytes -= set.bytes();
                int buckets = shards[shard].length;
                if (--sizes[shard] < buckets / 4 && buckets > SMALLEST) {
                    resize(shard, buckets / 2);
                }
            }
        }

        private void resize(int shard, int length) {
            @Nullable HolderSet[] buckets = new HolderSet[length];
            for (HolderSet set : shards[shard]) {
                while (set != null) {
                    HolderSet rest = set.next;
                    link(buckets, set);
                    set = rest;
                }
            }
            shards[shard] = buckets;
        }

        private static void link(@Nullable HolderSet[] buckets, HolderSet set) {
            int bucket = bucket(set.hash, buckets.length);
            set.next = buckets[bucket];
            buckets[bucket] = set;
        }

        private static void unlink(@Nullable HolderSet[] buckets, HolderSet set) {
            int bucket = bucket(set.hash, buckets.length);
            HolderSet before = null;
            for (HolderSet at = buckets[bucket]; at != set && at != null; at = at.next) {
                before = at;
            }
            if (before == null) {
                buckets[bucket] = set.next;
            } else {
                before.next = set.next;
            }
        }

        private static int bucket(int hash, int buckets) {
            return (hash >>> 6) & (buckets - 1);
        }

        /** The hash of a set is the sum over its holders: a change costs the same whatever the size. */
        private static int mix(int holder) {
            int h = holder * 0x9E3779B9;
            h = (h ^ (h >>> 15)) * 0x85EBCA6B;
            return h ^ (h >>> 13);
        }
    }
}
