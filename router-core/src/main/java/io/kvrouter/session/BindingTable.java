package io.kvrouter.session;

import io.kvrouter.worker.WorkerId;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An immutable part of the bindings' replicated memory: rows sorted by key, and a floor under which rows are dropped.
 *
 * <p>{@link #merge} is commutative, associative and idempotent on rows of which a newer version never has an earlier
 * deadline; it reads no clock, so that all nodes come to the same bytes. A table that holds only what changed merges
 * like any other. Primitive arrays: about 40 bytes a row.
 */
public final class BindingTable {
    public static final BindingTable EMPTY = new BindingTable(0, new BindingRows(0));

    private final long floor;
    private final BindingRows rows;

    private BindingTable(long floor, BindingRows rows) {
        this.floor = floor;
        this.rows = rows;
    }

    /** BindingRows in any order, one a key; those due to the floor are left out. */
    public static BindingTable of(long floor, Collection<BindingRow> rows) {
        var sorted = rows.stream()
                .filter(row -> row.deadlineMs() > floor)
                .sorted(Comparator.comparing(BindingRow::key))
                .toList();
        var made = new BindingRows(sorted.size());
        for (BindingRow row : sorted) {
            made.add(row);
        }
        return new BindingTable(floor, made.trimmed());
    }

    /** A table whose rows come in the order of their keys; refused if they do not. */
    public static BindingTable inOrder(long floor, int size, Supplier<BindingRow> next) {
        var made = new BindingRows(size);
        for (int i = 0; i < size; i++) {
            made.append(next.get());
        }
        return new BindingTable(floor, made);
    }

    public static BindingTable of(BindingRow row) {
        var made = new BindingRows(1);
        made.add(row);
        return new BindingTable(0, made);
    }

    /** The moment, wall clock in ms, up to which rows have been forgotten; 0 at first. */
    public long floor() {
        return floor;
    }

    public int size() {
        return rows.size();
    }

    public BindingRow row(int index) {
        return rows.get(Objects.checkIndex(index, rows.size()));
    }

    /** The worker of a row, where that is usable: for counting, makes no row. */
    public @Nullable WorkerId workerAt(int index, long nowMs) {
        return rows.workerAt(Objects.checkIndex(index, rows.size()), nowMs);
    }

    /** The index of the first row whose key is greater; {@link #size} if there is none. */
    public int after(SessionKey key) {
        return rows.after(key);
    }

    /** The row of a session, of a removed one too: its version counts. */
    public Optional<BindingRow> row(SessionKey key) {
        int index = rows.find(key);
        return index < 0 ? Optional.empty() : Optional.of(rows.get(index));
    }

    /** How many sessions have a usable row. Counts rows only where some may be past their deadline. */
    public int live(long nowMs) {
        return rows.earliest() > nowMs ? rows.bound() : rows.live(nowMs);
    }

    /** Whether raising the floor to this moment would drop a row. */
    public boolean due(long floorMs) {
        return rows.earliest() <= floorMs;
    }

    /** Forgets the rows that are due by then. A lower floor changes nothing. */
    public BindingTable raiseFloor(long floorMs) {
        return merge(new BindingTable(floorMs, EMPTY.rows));
    }

    /**
     * The floor under which so many of the rows nearest to their deadline go that no more than a bound are left; this
     * table's own where they are no more. Equal tables come to equal floors.
     */
    public long floorFor(int bound) {
        int over = rows.size() - bound;
        if (over <= 0) {
            return floor;
        }
        if (over == 1) {
            return rows.earliest();
        }
        long[] deadlines = rows.deadlines();
        Arrays.sort(deadlines);
        return deadlines[over - 1];
    }

    /**
     * The greater floor, the greater row of each key, without the rows that are due to the floor. Where one side has
     * all that the other says, that very table: two owners of what is equal share its arrays.
     */
    public BindingTable merge(BindingTable other) {
        if (covers(other)) {
            return this;
        }
        if (other.rows.size() >= rows.size() && other.covers(this)) {
            return other;
        }
        long higher = Math.max(floor, other.floor);
        boolean mine = rows.size() >= other.rows.size();
        return new BindingTable(higher, BindingRows.merged(mine ? rows : other.rows, mine ? other.rows : rows, higher));
    }

    /** The rows of this table that another lacks, or has less of, and has not forgotten. */
    public BindingTable beyond(BindingTable other) {
        return new BindingTable(0, rows.beyond(other.rows, other.floor));
    }

    private boolean covers(BindingTable other) {
        return floor >= other.floor && rows.cover(other.rows, floor);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BindingTable that
                && floor == that.floor
                && (rows == that.rows || rows.sameAs(that.rows));
    }

    @Override
    public int hashCode() {
        return Long.hashCode(floor) * 31 + rows.versionsHash();
    }

    /** Counts only: keys do not belong into logs. */
    @Override
    public String toString() {
        return "BindingTable(" + rows.size() + " rows, floor " + floor + ")";
    }
}
