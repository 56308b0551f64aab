package io.kvrouter.kv;

import com.carrotsearch.hppc.LongIntHashMap;
import java.util.Arrays;

/**
 * A set of 64-bit keys in the order of their last use, forgotten from the least recently used on. About 50 bytes a key;
 * the memory comes back when keys are forgotten. Not safe for use by several threads.
 */
public final class RecentKeys {
    private static final int NONE = -1;
    private static final int SMALLEST = 16;

    private LongIntHashMap slots = new LongIntHashMap(0);
    private long[] keys = {};
    private long[] uses = {};
    private int[] older = {};
    private int[] newer = {};
    private int free = NONE;
    private int oldest = NONE;
    private int newest = NONE;

    /** Makes a key the most recently used, adding it if it is not there. */
    public void touch(long key, long now) {
        int slot = slots.getOrDefault(key, NONE);
        if (slot == NONE) {
            slot = takeSlot();
            slots.put(key, slot);
            keys[slot] = key;
        } else {
            unlink(slot);
        }
        uses[slot] = now;
        link(slot);
    }

    public boolean contains(long key) {
        return slots.containsKey(key);
    }

    public int size() {
        return slots.size();
    }

    /** Forgets what was last used before the given time. */
    public void forgetBefore(long time) {
        while (oldest != NONE && uses[oldest] < time) {
            forgetOldest();
        }
        shrink();
    }

    /** Forgets the least recently used until at most so many are left. */
    public void forgetBeyond(long limit) {
        while (slots.size() > limit) {
            forgetOldest();
        }
        shrink();
    }

    private void forgetOldest() {
        int slot = oldest;
        slots.remove(keys[slot]);
        unlink(slot);
        newer[slot] = free;
        free = slot;
    }

    private int takeSlot() {
        if (free == NONE) {
            resize(Math.max(SMALLEST, keys.length * 2));
        }
        int slot = free;
        free = newer[slot];
        return slot;
    }

    private void resize(int capacity) {
        int from = keys.length;
        keys = Arrays.copyOf(keys, capacity);
        uses = Arrays.copyOf(uses, capacity);
        older = Arrays.copyOf(older, capacity);
        newer = Arrays.copyOf(newer, capacity);
        for (int slot = capacity - 1; slot >= from; slot--) {
            newer[slot] = free;
            free = slot;
        }
    }

    /** At an eighth of the capacity everything is copied: an amortised constant for each key forgotten. */
    private void shrink() {
        if (keys.length <= SMALLEST || slots.size() > keys.length / 8) {
            return;
        }
        long[] oldKeys = keys;
        long[] oldUses = uses;
        int[] oldNewer = newer;
        int slot = oldest;
        slots = new LongIntHashMap(0);
        keys = new long[0];
        uses = new long[0];
        older = new int[0];
        newer = new int[0];
        free = NONE;
        oldest = NONE;
        newest = NONE;
        for (; slot != NONE; slot = oldNewer[slot]) {
            touch(oldKeys[slot], oldUses[slot]);
        }
    }

    private void link(int slot) {
        older[slot] = newest;
        newer[slot] = NONE;
        if (newest == NONE) {
            oldest = slot;
        } else {
            newer[newest] = slot;
        }
        newest = slot;
    }

    private void unlink(int slot) {
        if (older[slot] == NONE) {
            oldest = newer[slot];
        } else {
            newer[older[slot]] = newer[slot];
        }
        if (newer[slot] == NONE) {
            newest = older[slot];
        } else {
            older[newer[slot]] = older[slot];
        }
    }
}
