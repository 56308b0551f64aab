package io.kvrouter.cluster.binding;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.replica.ReplicaTable;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * This node's copy of all bindings, read by the ingress without asking anybody. Fed by what Distributed Data says has
 * changed, with whose tables it shares its rows, and before that by the rows that this node makes, and that others tell
 * it as they make them. Any thread may read and merge.
 */
public final class BindingReplica {
    private final AtomicReferenceArray<ReplicaTable> tables = new AtomicReferenceArray<>(SessionKey.TABLES);
    private volatile @Nullable Watch watch;

    /** Is told what changes, after it has changed and on the thread that changed it. */
    public interface Watch {
        /** A row that Distributed Data does not have yet. */
        void changed(BindingRow row);

        /** Distributed Data has a table with more. */
        void merged(ReplicaTable before, ReplicaTable after);
    }

    public BindingReplica() {
        for (int i = 0; i < SessionKey.TABLES; i++) {
            tables.set(i, ReplicaTable.EMPTY);
        }
    }

    /** A whole table. */
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
        ReplicaTable before;
        ReplicaTable after;
        do {
            before = tables.get(number);
            after = before.merge(other);
        } while (!tables.compareAndSet(number, before, after));
        Watch watching = watch;
        if (watching != null) {
            watching.merged(before, after);
        }
    }

    /** Takes a row as soon as it is made: costs as much as the table has such rows. */
    public void merge(BindingRow row) {
        int number = row.key().table();
        ReplicaTable before;
        ReplicaTable after;
        do {
            before = tables.get(number);
            after = before.with(row);
        } while (!tables.compareAndSet(number, before, after));
        Watch watching = watch;
        if (watching != null && !after.row(row.key()).equals(before.row(row.key()))) {
            watching.changed(row);
        }
    }

    /** The rows of a table that Distributed Data does not have yet. */
    BindingTable ahead(int number) {
        return tables.get(number).ahead();
    }

    /** From now on tells what changes. One is told. */
    public void watch(Watch changes) {
        watch = changes;
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
