package io.kvrouter.sim.engine;

/** Cached blocks that no running sequence holds, the least recently released first: a linked list in two arrays. */
final class IdleBlocks {
    private final int[] next;
    private final int[] previous;
    private final int sentinel;
    private int size;

    IdleBlocks(int capacity) {
        next = new int[capacity + 1];
        previous = new int[capacity + 1];
        sentinel = capacity;
        next[sentinel] = sentinel;
        previous[sentinel] = sentinel;
    }

    void addLast(int block) {
        int last = previous[sentinel];
        next[last] = block;
        previous[block] = last;
        next[block] = sentinel;
        previous[sentinel] = block;
        size++;
    }

    void remove(int block) {
        next[previous[block]] = next[block];
        previous[next[block]] = previous[block];
        size--;
    }

    /** The block to evict next; only asked when there is one. */
    int first() {
        return next[sentinel];
    }

    int size() {
        return size;
    }
}
