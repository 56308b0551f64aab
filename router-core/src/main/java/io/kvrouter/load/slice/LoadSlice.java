package io.kvrouter.load.slice;

import java.util.Arrays;

/**
 * One node's contribution to the load of the fleet, as the nodes replicate it; also a part of it that changed.
 *
 * <p>Written by its node only. A row has a worker key, the version of the slice that wrote it, and absolute counters. In
 * a merge the higher version of a row wins and rows up to the greatest floor are dropped, so merging is idempotent,
 * commutative and associative, and a lost update heals with the next. Only a whole slice raises the floor, and it
 * carries every row that is not zero at a version above it: so workers that are idle or gone leave the slice, and no
 * late update brings them back.
 */
public final class LoadSlice {
    /** Nothing known. */
    public static final LoadSlice EMPTY = new LoadSlice(new Head(0, 0, 0, 0), new long[0]);

    /** Places of the numbers in a row, and how many they are. */
    public static final int KEY = 0;

    public static final int VERSION = 1;
    public static final int REQUESTS = 2;
    public static final int PREFILL = 3;
    public static final int DECODE = 4;
    public static final int FOOTPRINT = 5;
    public static final int WIDTH = 6;

    private final Head head;
    private final long[] rows;

    /**
     * What is said of the slice as a whole.
     *
     * @param version grows with each update that the node makes
     * @param floor rows up to this version are dropped
     * @param clock the node's clock in ms when it made the update
     * @param bookings reservations that the node ever made
     */
    public record Head(long version, long floor, long clock, long bookings) {
        Head merge(Head other) {
            return new Head(
                    Math.max(version, other.version),
                    Math.max(floor, other.floor),
                    Math.max(clock, other.clock),
                    Math.max(bookings, other.bookings));
        }
    }

    private LoadSlice(Head head, long[] rows) {
        this.head = head;
        this.rows = rows;
    }

    /** Of rows that are ordered by worker key; the array is not copied. */
    public static LoadSlice of(Head head, long[] rows) {
        for (int at = WIDTH; at < rows.length; at += WIDTH) {
            if (rows[at - WIDTH] >= rows[at]) {
                throw new IllegalArgumentException(
                        "load slice: row " + at / WIDTH + " (expected: rows ordered by key)");
            }
        }
        if (rows.length % WIDTH != 0) {
            throw new IllegalArgumentException(
                    "load slice: " + rows.length + " numbers (expected: a multiple of " + WIDTH + ")");
        }
        return new LoadSlice(head, rows);
    }

    /** The union of what both know. */
    public LoadSlice merge(LoadSlice other) {
        Head merged = head.merge(other.head);
        long[] result = new long[rows.length + other.rows.length];
        int size = 0;
        int a = 0;
        int b = 0;
        while (a < rows.length || b < other.rows.length) {
            boolean both = a < rows.length && b < other.rows.length && rows[a] == other.rows[b];
            boolean mine = b == other.rows.length || (a < rows.length && rows[a] < other.rows[b]);
            if (both) {
                mine = rows[a + VERSION] >= other.rows[b + VERSION];
            }
            long[] from = mine ? rows : other.rows;
            int at = mine ? a : b;
            if (from[at + VERSION] > merged.floor) {
                System.arraycopy(from, at, result, size, WIDTH);
                size += WIDTH;
            }
            a += both || mine ? WIDTH : 0;
            b += both || !mine ? WIDTH : 0;
        }
        return new LoadSlice(merged, Arrays.copyOf(result, size));
    }

    public Head head() {
        return head;
    }

    /** Rows, zero ones included. */
    public int size() {
        return rows.length / WIDTH;
    }

    /** A number of a row, by its place in the row: see {@link #WIDTH}. */
    public long number(int row, int column) {
        return rows[row * WIDTH + column];
    }

    public long worker(int row) {
        return number(row, KEY);
    }

    public WorkerLoad load(int row) {
        return new WorkerLoad(number(row, REQUESTS), number(row, PREFILL), number(row, DECODE), number(row, FOOTPRINT));
    }

    /** Is told of a worker key whose row is not the same in two slices; no row is no load. */
    @FunctionalInterface
    public interface Difference {
        void differs(long worker, WorkerLoad before, WorkerLoad after);
    }

    /** Tells where another slice of the same node differs from this one. Both are walked side by side. */
    public void differences(LoadSlice after, Difference difference) {
        int a = 0;
        int b = 0;
        while (a < size() || b < after.size()) {
            boolean gone = b == after.size() || (a < size() && worker(a) < after.worker(b));
            boolean come = a == size() || (b < after.size() && after.worker(b) < worker(a));
            if (gone) {
                difference.differs(worker(a), load(a), WorkerLoad.NONE);
                a++;
            } else if (come) {
                difference.differs(after.worker(b), WorkerLoad.NONE, after.load(b));
                b++;
            } else {
                if (number(a, VERSION) != after.number(b, VERSION)) {
                    difference.differs(worker(a), load(a), after.load(b));
                }
                a++;
                b++;
            }
        }
    }

    /** The load of a worker key; none if there is no row. */
    public WorkerLoad loadOf(long worker) {
        int low = 0;
        int high = size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (worker(middle) == worker) {
                return load(middle);
            }
            if (worker(middle) < worker) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return WorkerLoad.NONE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LoadSlice slice && head.equals(slice.head) && Arrays.equals(rows, slice.rows);
    }

    @Override
    public int hashCode() {
        return 31 * head.hashCode() + Arrays.hashCode(rows);
    }

    @Override
    public String toString() {
        return "LoadSlice[" + head + ", " + size() + " rows]";
    }
}
