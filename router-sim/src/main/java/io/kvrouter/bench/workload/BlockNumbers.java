package io.kvrouter.bench.workload;

/** Numbers of blocks that no prompt of their session has had. */
final class BlockNumbers {
    private int next;

    /** The first of so many that follow one another. */
    int take(int count) {
        int first = next;
        next += count;
        return first;
    }
}
