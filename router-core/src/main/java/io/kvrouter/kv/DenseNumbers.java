package io.kvrouter.kv;

import com.carrotsearch.hppc.IntArrayList;

/** Gives out small numbers, and those that came back first. Not safe for use by several threads. */
public final class DenseNumbers {
    private final IntArrayList free = new IntArrayList();
    private int next;

    public int take() {
        return free.isEmpty() ? next++ : free.removeLast();
    }

    public void giveBack(int number) {
        free.add(number);
    }
}
