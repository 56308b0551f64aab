package io.kvrouter.kv.index;

import java.util.Arrays;

/**
 * What a walk found: for each cache, by its number, how many blocks from the start of the prompt it holds. Owned by one
 * thread and used again for every walk, which then allocates nothing.
 *
 * <p>A cache's figure is where its overlap ends so far. It grows by an interval if it reaches to the interval's start, so
 * that no list is kept of who is still there, and an interval costs as much as it has holders. Only where a block is met
 * that is not on a device are the other tiers looked at.
 */
public final class Overlaps {
    private static final int DEVICE = Tier.DEVICE.bit();
    private static final int DEVICE_OR_HOST = Tier.DEVICE.bit() | Tier.HOST.bit();

    /** So few caches are looked for in an interval's holders, one by one. */
    private static final int FEW = 8;

    // Where the blocks end that are on the device; there or in host memory; in any tier.
    private int[] device = {};
    private int[] host = {};
    private int[] disk = {};

    /** Whether the last two count. If not, they are all 0. */
    private boolean tiered;

    private int[] touched = {}; // all caches that may have a figure other than 0
    private int found;

    // Holders of the blocks from low to high, not counted yet: the next interval may have the same.
    private HolderSet holders = HolderSet.EMPTY;
    private int low;
    private int high;

    private final int[] few = new int[FEW];
    private int alive;

    /** Blocks from the start that are all on the device. */
    public int device(int cache) {
        return cache < device.length ? device[cache] : 0;
    }

    /** How many more blocks follow without a gap that are on the device or in the host's memory. */
    public int host(int cache) {
        return tiered && cache < device.length ? host[cache] - device[cache] : 0;
    }

    /** How many more blocks follow without a gap in any tier. */
    public int disk(int cache) {
        return tiered && cache < device.length ? disk[cache] - host[cache] : 0;
    }

    void begin() {
        for (int i = 0; i < found; i++) {
            device[touched[i]] = 0;
        }
        for (int i = 0; tiered && i < found; i++) {
            host[touched[i]] = 0;
            disk[touched[i]] = 0;
        }
        found = 0;
        tiered = false;
        holders = HolderSet.EMPTY;
        low = 0;
        high = 0;
    }

    /** Blocks have these holders; they begin where the last ones ended. Returns whether more blocks are of interest. */
    boolean meet(HolderSet set, int end) {
        if (set == holders) {
            high = end;
        } else {
            if (high > 0 && !count()) {
                holders = HolderSet.EMPTY;
                return false;
            }
            holders = set;
            low = high;
            high = end;
        }
        return set != HolderSet.EMPTY;
    }

    /** The walk is over. */
    void end() {
        if (holders != HolderSet.EMPTY) {
            count();
        }
    }

    /** A cache holds so many blocks on the device, more than 0: for what is not in an index. The last word counts. */
    void hold(int cache, int blocks) {
        reach(cache + 1);
        if (device[cache] == 0) {
            touch(cache);
        }
        device[cache] = blocks;
    }

    /** Returns whether anyone holds all blocks up to the end. */
    private boolean count() {
        int[] all = holders.holders;
        reach((all[all.length - 1] >>> HolderSet.TIER_BITS) + 1);
        if (low == 0) {
            for (int holder : all) {
                touch(holder >>> HolderSet.TIER_BITS);
            }
        } else if (alive <= FEW) {
            return countFew();
        }
        if (!tiered && !holders.deviceOnly) {
            lookAtTiers();
        }
        return tiered ? countTiers(all) : countDevices(all);
    }

    private boolean countDevices(int[] all) {
        int[] ends = device;
        int kept = 0;
        for (int holder : all) {
            int cache = holder >>> HolderSet.TIER_BITS;
            if (ends[cache] == low) {
                ends[cache] = high;
                few[kept & (FEW - 1)] = cache;
                kept++;
            }
        }
        alive = kept;
        return kept > 0;
    }

    private boolean countTiers(int[] all) {
        int kept = 0;
        for (int holder : all) {
            int cache = holder >>> HolderSet.TIER_BITS;
            if (grow(cache, holder & HolderSet.TIERS)) {
                few[kept & (FEW - 1)] = cache;
                kept++;
            }
        }
        alive = kept;
        return kept > 0;
    }

    private boolean countFew() {
        if (!tiered && !holders.deviceOnly) {
            lookAtTiers();
        }
        int kept = 0;
        for (int i = 0; i < alive; i++) {
            if (grow(few[i], holders.tiers(few[i]))) {
                few[kept++] = few[i];
            }
        }
        alive = kept;
        return kept > 0;
    }

    private boolean grow(int cache, int tiers) {
        if (!tiered) {
            if (tiers == 0 || device[cache] != low) {
                return false;
            }
            device[cache] = high;
            return true;
        }
        if (tiers == 0 || disk[cache] != low) {
            return false;
        }
        disk[cache] = high;
        if (host[cache] == low && (tiers & DEVICE_OR_HOST) != 0) {
            host[cache] = high;
            if (device[cache] == low && (tiers & DEVICE) != 0) {
                device[cache] = high;
            }
        }
        return true;
    }

    private void lookAtTiers() {
        tiered = true;
        for (int i = 0; i < found; i++) {
            host[touched[i]] = device[touched[i]];
            disk[touched[i]] = device[touched[i]];
        }
    }

    private void reach(int caches) {
        if (device.length < caches) {
            device = Arrays.copyOf(device, caches * 2);
            host = Arrays.copyOf(host, caches * 2);
            disk = Arrays.copyOf(disk, caches * 2);
            touched = Arrays.copyOf(touched, caches * 2);
        }
    }

    private void touch(int cache) {
        touched[found++] = cache;
    }
}
