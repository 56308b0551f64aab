package io.kvrouter.session;

import io.kvrouter.worker.WorkerId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** BindingRows of a {@link BindingTable} as columns, sorted by key, filled from the front. */
final class BindingRows {
    private final long[] high;
    private final long[] low;
    private final long[] version;
    private final long[] deadline;
    private final @Nullable WorkerId[] worker;
    private final int[] rank;
    private int size;
    private int bound;
    private long earliest = Long.MAX_VALUE;

    BindingRows(int capacity) {
        this(new long[4][capacity], new WorkerId[capacity], new int[capacity]);
    }

    private BindingRows(long[][] longs, @Nullable WorkerId[] worker, int[] rank) {
        high = longs[0];
        low = longs[1];
        version = longs[2];
        deadline = longs[3];
        this.worker = worker;
        this.rank = rank;
    }

    int size() {
        return size;
    }

    /** How many name a worker. */
    int bound() {
        return bound;
    }

    /** The least deadline; the greatest number there is without rows. */
    long earliest() {
        return earliest;
    }

    long[] deadlines() {
        return Arrays.copyOf(deadline, size);
    }

    /** Rows that name a worker and have their deadline ahead. */
    int live(long nowMs) {
        int live = 0;
        for (int i = 0; i < size; i++) {
            live += worker[i] != null && deadline[i] > nowMs ? 1 : 0;
        }
        return live;
    }

    int versionsHash() {
        return Arrays.hashCode(version);
    }

    BindingRow get(int i) {
        return new BindingRow(new SessionKey(high[i], low[i]), version[i], worker[i], rank[i], deadline[i]);
    }

    void add(BindingRow row) {
        high[size] = row.key().high();
        low[size] = row.key().low();
        version[size] = row.version();
        deadline[size] = row.deadlineMs();
        worker[size] = row.worker();
        rank[size++] = row.rank();
        tally(size - 1);
    }

    /** Adds a row that comes after all others. */
    void append(BindingRow row) {
        int before = size - 1;
        if (before >= 0 && !less(before, row.key().high(), row.key().low())) {
            throw new IllegalArgumentException("row " + size + ": key not after the one before (expected: ascending)");
        }
        add(row);
    }

    private void tally(int i) {
        bound += worker[i] == null ? 0 : 1;
        earliest = Math.min(earliest, deadline[i]);
    }

    /**
     * Both sides' rows above a floor. What lies between two rows of the smaller side is copied in one piece, so that
     * a change of few rows costs little more than the copy.
     */
    static BindingRows merged(BindingRows large, BindingRows small, long floor) {
        var merged = new BindingRows(large.size + small.size);
        int from = 0;
        for (int i = 0; i < small.size; i++) {
            int to = large.firstFrom(from, small.high[i], small.low[i]);
            merged.copy(large, from, to, floor);
            boolean both = large.hasKey(to, small.high[i], small.low[i]);
            boolean greater = both && large.compareValues(to, small, i) > 0;
            merged.copy(greater ? large : small, greater ? to : i, (greater ? to : i) + 1, floor);
            from = both ? to + 1 : to;
        }
        merged.copy(large, from, large.size, floor);
        return merged.trimmed();
    }

    private void copy(BindingRows from, int first, int end, long floor) {
        if (from.earliest > floor) {
            copyAll(from, first, end - first);
            return;
        }
        for (int i = first; i < end; i++) {
            if (from.deadline[i] > floor) {
                copyAll(from, i, 1);
            }
        }
    }

    private void copyAll(BindingRows from, int first, int count) {
        System.arraycopy(from.high, first, high, size, count);
        System.arraycopy(from.low, first, low, size, count);
        System.arraycopy(from.version, first, version, size, count);
        System.arraycopy(from.deadline, first, deadline, size, count);
        System.arraycopy(from.worker, first, worker, size, count);
        System.arraycopy(from.rank, first, rank, size, count);
        size += count;
        for (int i = size - count; i < size; i++) {
            tally(i);
        }
    }

    /** Whether merging the other's rows would change nothing here. */
    boolean cover(BindingRows other, long floor) {
        int at = 0;
        for (int i = 0; i < other.size; i++) {
            if (other.deadline[i] > floor) {
                at = firstFrom(at, other.high[i], other.low[i]);
                if (!hasKey(at, other.high[i], other.low[i]) || compareValues(at, other, i) < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The rows that the other lacks, or has less of. */
    BindingRows beyond(BindingRows other, long floor) {
        var beyond = new BindingRows(size);
        for (int i = 0; i < size; i++) {
            int there = other.first(0, other.size, high[i], low[i]);
            boolean less = !other.hasKey(there, high[i], low[i]) || compareValues(i, other, there) > 0;
            if (less && deadline[i] > floor) {
                beyond.copyAll(this, i, 1);
            }
        }
        return beyond.trimmed();
    }

    int find(SessionKey key) {
        int index = first(0, size, key.high(), key.low());
        return hasKey(index, key.high(), key.low()) ? index : -1;
    }

    /** The first row whose key is greater. */
    int after(SessionKey key) {
        int index = first(0, size, key.high(), key.low());
        return hasKey(index, key.high(), key.low()) ? index + 1 : index;
    }

    /** The worker of a row whose deadline is ahead. */
    @Nullable
    WorkerId workerAt(int i, long nowMs) {
        return deadline[i] > nowMs ? worker[i] : null;
    }

    private boolean hasKey(int i, long keyHigh, long keyLow) {
        return i < size && high[i] == keyHigh && low[i] == keyLow;
    }

    /** The first row from an index on whose key is not less, found in steps that double: neighbours come fast. */
    private int firstFrom(int from, long keyHigh, long keyLow) {
        int step = 1;
        int begin = from;
        while (begin + step <= size && less(begin + step - 1, keyHigh, keyLow)) {
            begin += step;
            step *= 2;
        }
        return first(begin, Math.min(size, begin + step - 1), keyHigh, keyLow);
    }

    private int first(int from, int to, long keyHigh, long keyLow) {
        int begin = from;
        int end = to;
        while (begin < end) {
            int middle = (begin + end) >>> 1;
            if (less(middle, keyHigh, keyLow)) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        return begin;
    }

    private boolean less(int i, long keyHigh, long keyLow) {
        int byHigh = Long.compareUnsigned(high[i], keyHigh);
        return byHigh < 0 || (byHigh == 0 && Long.compareUnsigned(low[i], keyLow) < 0);
    }

    int compareValues(int i, BindingRows other, int j) {
        if (version[i] != other.version[j]) {
            return Long.compare(version[i], other.version[j]);
        }
        if (deadline[i] != other.deadline[j]) {
            return Long.compare(deadline[i], other.deadline[j]);
        }
        int byWorker = BindingRow.BY_WORKER.compare(worker[i], other.worker[j]);
        return byWorker != 0 ? byWorker : Integer.compare(rank[i], other.rank[j]);
    }

    boolean sameAs(BindingRows that) {
        return Arrays.equals(high, that.high)
                && Arrays.equals(low, that.low)
                && Arrays.equals(version, that.version)
                && Arrays.equals(deadline, that.deadline)
                && Arrays.equals(worker, that.worker)
                && Arrays.equals(rank, that.rank);
    }

    BindingRows trimmed() {
        if (size == high.length) {
            return this;
        }
        long[][] longs = {
            Arrays.copyOf(high, size), Arrays.copyOf(low, size),
            Arrays.copyOf(version, size), Arrays.copyOf(deadline, size)
        };
        var trimmed = new BindingRows(longs, Arrays.copyOf(worker, size), Arrays.copyOf(rank, size));
        trimmed.size = size;
        trimmed.bound = bound;
        trimmed.earliest = earliest;
        return trimmed;
    }
}
