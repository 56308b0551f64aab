package io.kvrouter.session;

import io.kvrouter.worker.WorkerId;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An immutable part of the bindings' replicated memory: rows sorted by key, and a floor under which rows are dropped.
 *
 * <p>{@link #merge} is commutative, associative and idempotent on rows of which a newer version never has an earlier
 * deadline; it reads no clock, so that all nodes come to the same bytes. A table that holds only what changed merges
 * like any other. Primitive arrays: about 44 bytes a row.
 */
public final class BindingTable {
    public static final BindingTable EMPTY = new BindingTable(0, new Rows(0));

    private final long floor;
    private final Rows rows;

    private BindingTable(long floor, Rows rows) {
        this.floor = floor;
        this.rows = rows;
    }

    /** Rows in any order, one a key; those due to the floor are left out. */
    public static BindingTable of(long floor, Collection<BindingRow> rows) {
        var sorted = rows.stream()
                .filter(row -> row.deadlineMs() > floor)
                .sorted(Comparator.comparing(BindingRow::key))
                .toList();
        var made = new Rows(sorted.size());
        for (BindingRow row : sorted) {
            made.add(row);
        }
        return new BindingTable(floor, made.trimmed());
    }

    public static BindingTable of(BindingRow row) {
        var made = new Rows(1);
        made.add(row);
        return new BindingTable(0, made);
    }

    /** The moment, wall clock in ms, up to which rows have been forgotten; 0 at first. */
    public long floor() {
        return floor;
    }

    public int size() {
        return rows.size;
    }

    public BindingRow row(int index) {
        return rows.get(Objects.checkIndex(index, rows.size));
    }

    /** The worker of a row, where that is usable: for counting, makes no row. */
    public @Nullable WorkerId workerAt(int index, long nowMs) {
        Objects.checkIndex(index, rows.size);
        return rows.deadline[index] > nowMs ? rows.worker[index] : null;
    }

    /** The index of the first row whose key is greater; {@link #size} if there is none. */
    public int after(SessionKey key) {
        int index = rows.find(key);
        return index < 0 ? -index - 1 : index + 1;
    }

    /** The row of a session, of a removed one too: its version counts. */
    public Optional<BindingRow> row(SessionKey key) {
        int index = rows.find(key);
        return index < 0 ? Optional.empty() : Optional.of(rows.get(index));
    }

    /** How many sessions have a usable row. */
    public int live(long nowMs) {
        int live = 0;
        for (int i = 0; i < rows.size; i++) {
            if (rows.worker[i] != null && rows.deadline[i] > nowMs) {
                live++;
            }
        }
        return live;
    }

    /** Whether raising the floor to this moment would drop a row. */
    public boolean due(long floorMs) {
        for (int i = 0; i < rows.size; i++) {
            if (rows.deadline[i] <= floorMs) {
                return true;
            }
        }
        return false;
    }

    /** Forgets the rows that are due by then. A lower floor changes nothing. */
    public BindingTable raiseFloor(long floorMs) {
        return merge(new BindingTable(floorMs, EMPTY.rows));
    }

    /** The greater floor, the greater row of each key, without the rows that are due to the floor. */
    public BindingTable merge(BindingTable other) {
        if (other.rows.size == 0 && other.floor <= floor) {
            return this;
        }
        long higher = Math.max(floor, other.floor);
        var merged = new Rows(rows.size + other.rows.size);
        int mine = 0;
        int theirs = 0;
        while (mine < rows.size || theirs < other.rows.size) {
            int order = rows.compareKeys(mine, other.rows, theirs);
            boolean takeMine = order < 0 || (order == 0 && rows.compareValues(mine, other.rows, theirs) >= 0);
            merged.copy(takeMine ? rows : other.rows, takeMine ? mine : theirs, higher);
            mine += order <= 0 ? 1 : 0;
            theirs += order >= 0 ? 1 : 0;
        }
        return new BindingTable(higher, merged.trimmed());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BindingTable that && floor == that.floor && rows.sameAs(that.rows);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(floor) * 31 + Arrays.hashCode(rows.version);
    }

    /** Counts only: keys do not belong into logs. */
    @Override
    public String toString() {
        return "BindingTable(" + rows.size + " rows, floor " + floor + ")";
    }

    /** Columns, filled from the front. */
    private static final class Rows {
        private final long[] high;
        private final long[] low;
        private final long[] version;
        private final long[] deadline;
        private final @Nullable WorkerId[] worker;
        private final int[] rank;
        private int size;

        Rows(int capacity) {
            this(new long[4][capacity], new WorkerId[capacity], new int[capacity]);
        }

        private Rows(long[][] longs, @Nullable WorkerId[] worker, int[] rank) {
            high = longs[0];
            low = longs[1];
            version = longs[2];
            deadline = longs[3];
            this.worker = worker;
            this.rank = rank;
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
        }

        void copy(Rows from, int i, long floor) {
            if (from.deadline[i] <= floor) {
                return;
            }
            high[size] = from.high[i];
            low[size] = from.low[i];
            version[size] = from.version[i];
            deadline[size] = from.deadline[i];
            worker[size] = from.worker[i];
            rank[size++] = from.rank[i];
        }

        /** The index of a key, or minus one minus the index that it would have. */
        int find(SessionKey key) {
            int from = 0;
            int to = size - 1;
            while (from <= to) {
                int middle = (from + to) >>> 1;
                int order = compare(high[middle], low[middle], key.high(), key.low());
                if (order == 0) {
                    return middle;
                }
                from = order < 0 ? middle + 1 : from;
                to = order < 0 ? to : middle - 1;
            }
            return -from - 1;
        }

        /** A side that is used up comes last. */
        int compareKeys(int i, Rows other, int j) {
            if (i == size || j == other.size) {
                return i == size ? 1 : -1;
            }
            return compare(high[i], low[i], other.high[j], other.low[j]);
        }

        int compareValues(int i, Rows other, int j) {
            if (version[i] != other.version[j]) {
                return Long.compare(version[i], other.version[j]);
            }
            if (deadline[i] != other.deadline[j]) {
                return Long.compare(deadline[i], other.deadline[j]);
            }
            int byWorker = BindingRow.BY_WORKER.compare(worker[i], other.worker[j]);
            return byWorker != 0 ? byWorker : Integer.compare(rank[i], other.rank[j]);
        }

        boolean sameAs(Rows that) {
            return Arrays.equals(high, that.high)
                    && Arrays.equals(low, that.low)
                    && Arrays.equals(version, that.version)
                    && Arrays.equals(deadline, that.deadline)
                    && Arrays.equals(worker, that.worker)
                    && Arrays.equals(rank, that.rank);
        }

        Rows trimmed() {
            if (size == high.length) {
                return this;
            }
            long[][] longs = {
                Arrays.copyOf(high, size), Arrays.copyOf(low, size),
                Arrays.copyOf(version, size), Arrays.copyOf(deadline, size)
            };
            var trimmed = new Rows(longs, Arrays.copyOf(worker, size), Arrays.copyOf(rank, size));
            trimmed.size = size;
            return trimmed;
        }

        private static int compare(long high, long low, long otherHigh, long otherLow) {
            int byHigh = Long.compareUnsigned(high, otherHigh);
            return byHigh != 0 ? byHigh : Long.compareUnsigned(low, otherLow);
        }
    }
}
