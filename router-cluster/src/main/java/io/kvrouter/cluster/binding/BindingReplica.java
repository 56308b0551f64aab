package io.kvrouter.cluster.binding;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * This node's copy of all bindings, read by the ingress without asking anybody. Fed by what Distributed Data says has
 * changed and, at once, by this node's own rows that are not written yet. Any thread may read and merge.
 */
public final class BindingReplica {
    private final AtomicReferenceArray<BindingTable> tables = new AtomicReferenceArray<>(SessionKey.TABLES);
    private volatile Watch watch = (before, after) -> {};

    /** Is told of changes. */
    @FunctionalInterface
    public interface Watch {
        /** A table was merged with another. */
        void changed(BindingTable before, BindingTable after);
    }

    public BindingReplica() {
        for (int i = 0; i < SessionKey.TABLES; i++) {
            tables.set(i, BindingTable.EMPTY);
        }
    }

    public BindingTable table(int number) {
        return tables.get(number);
    }

    /** The session's row, of a removed session too. */
    public Optional<BindingRow> row(SessionKey key) {
        return tables.get(key.table()).row(key);
    }

    public void merge(int number, BindingTable other) {
        BindingTable before;
        BindingTable after;
        do {
            before = tables.get(number);
            after = before.merge(other);
        } while (!tables.compareAndSet(number, before, after));
        watch.changed(before, after);
    }

    /** From now on tells what changes, after it has changed and on the thread that changed it. */
    public void watch(Watch changes) {
        watch = changes;
    }

    public void merge(BindingRow row) {
        merge(row.key().table(), BindingTable.of(row));
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
