package io.kvrouter.cluster.binding.table;

import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.pekko.cluster.ddata.AbstractDeltaReplicatedData;
import org.apache.pekko.cluster.ddata.Key;
import org.apache.pekko.cluster.ddata.ReplicatedDataSerialization;
import org.apache.pekko.cluster.ddata.ReplicatedDelta;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BindingTable} in Distributed Data. The delta is a table of the changed rows and merges by the same rule, in
 * any order: not causal. Rows belong to sessions, not to nodes, so a removed node leaves nothing to prune.
 */
public final class BindingTableData extends AbstractDeltaReplicatedData<BindingTableData, BindingTableData>
        implements ReplicatedDelta, ReplicatedDataSerialization {
    public static final BindingTableData EMPTY = new BindingTableData(BindingTable.EMPTY, null);

    private final BindingTable table;
    private final @Nullable BindingTable changed;

    private BindingTableData(BindingTable table, @Nullable BindingTable changed) {
        this.table = table;
        this.changed = changed;
    }

    public static BindingTableData of(BindingTable table) {
        return new BindingTableData(table, null);
    }

    public BindingTable table() {
        return table;
    }

    /** This table with some rows, or a raised floor, that the others do not have yet. */
    public BindingTableData with(BindingTable change) {
        return new BindingTableData(table.merge(change), changed == null ? change : changed.merge(change));
    }

    /** This table without the rows nearest to their deadline that are over a bound, here and soon everywhere. */
    public BindingTableData atMost(int rows) {
        long floor = table.floorFor(rows);
        return floor > table.floor() ? with(BindingTable.of(floor, List.of())) : this;
    }

    @Override
    public BindingTableData mergeData(BindingTableData that) {
        return of(table.merge(that.table));
    }

    @Override
    public BindingTableData mergeDeltaData(BindingTableData delta) {
        return mergeData(delta);
    }

    @Override
    public Optional<BindingTableData> deltaData() {
        return changed == null ? Optional.empty() : Optional.of(of(changed));
    }

    @Override
    public BindingTableData resetDelta() {
        return changed == null ? this : of(table);
    }

    @Override
    public BindingTableData zero() {
        return EMPTY;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BindingTableData that && table.equals(that.table);
    }

    @Override
    public int hashCode() {
        return table.hashCode();
    }

    @Override
    public String toString() {
        return "BindingTableData(" + table + ")";
    }

    /** The name of one binding table in Distributed Data. */
    public static final class TableKey extends Key<BindingTableData> {
        /** All of them, by number. */
        public static final List<TableKey> ALL =
                IntStream.range(0, SessionKey.TABLES).mapToObj(TableKey::new).toList();

        private static final String PREFIX = "bindings-";

        private TableKey(int table) {
            super(PREFIX + table);
        }

        /** Which table a key names. */
        public static int number(Key<BindingTableData> key) {
            return Integer.parseInt(key.id().substring(PREFIX.length()));
        }
    }
}
