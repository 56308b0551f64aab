package io.kvrouter.cluster.binding;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.replica.ReplicaTable;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * This node's copy of all bindings, read by the ingress without asking anybody. Fed by what Distributed Data says has
 * changed, with whose tables it shares its rows, and at once by this node's own rows that are not written yet. Any
 * thread may read and merge.
 */
public final class BindingReplica {
    private final AtomicReferenceArray<ReplicaTable> tables = new AtomicReferenceArray<>(SessionKey.TABLES);

    public BindingReplica() {
        for (int i = 0; i < SessionKey.TABLES; i++) {
            tables.set(i, ReplicaTable.EMPTY);
        }
    }

    /** A table with the rows that are not written yet. */
    public BindingTable table(int number) {
        return tables.get(number).whole();
    }

    /** Whether raising a table's floor to this moment would drop a row. */
    boolean due(int number, long floorMs) {
        return tables.get(number).due(floorMs);
    }

    /** Whether a table has more rows than it may. */
    boolean over(int number, int rows) {
        return tables.get(number).replicated().size() > rows;
    }

    /** The session's row, of a removed session too. */
    public Optional<BindingRow> row(SessionKey key) {
        return tables.get(key.table()).row(key);
    }

    public void merge(int number, BindingTable other) {
        tables.updateAndGet(number, table -> table.merge(other));
    }

    /** Takes a row that this node has made: costs as much as the table has such rows. */
    public void merge(BindingRow row) {
        tables.updateAndGet(row.key().table(), table -> table.with(row));
    }

    /** Sessions of a shard that have a usable row. */
    public int live(int shard, long nowMs) {
        int live = 0;
        for (int i = shard; i < SessionKey.TABLES; i += SessionKey.SHARDS) {
            live += tables.get(i).live(nowMs);
        }
        return live;
    }
}
