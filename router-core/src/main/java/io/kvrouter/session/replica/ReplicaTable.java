package io.kvrouter.session.replica;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.util.Optional;

/**
 * One binding table as its node reads it: what the replication has, and this node's own rows that it does not have yet.
 * Kept apart, so that a row that was just made costs no copy of its whole table, and so that the replication's table is
 * shared and not copied.
 *
 * @param replicated the replication's very table, as a rule
 * @param own few: the rows by which this node is ahead of it
 */
public record ReplicaTable(BindingTable replicated, BindingTable own) {
    public static final ReplicaTable EMPTY = new ReplicaTable(BindingTable.EMPTY, BindingTable.EMPTY);

    public ReplicaTable {
        own = own.size() == 0 ? BindingTable.EMPTY : own.beyond(replicated);
    }

    /** The greater of both rows. */
    public Optional<BindingRow> row(SessionKey key) {
        Optional<BindingRow> mine = own.size() == 0 ? Optional.empty() : own.row(key);
        return mine.isPresent() ? mine : replicated.row(key);
    }

    /** With a row that this node has just made. */
    public ReplicaTable with(BindingRow row) {
        return new ReplicaTable(replicated, own.merge(BindingTable.of(row)));
    }

    /** With what the replication has now, or what another node has. */
    public ReplicaTable merge(BindingTable table) {
        return new ReplicaTable(replicated.merge(table), own);
    }

    /** What the replication will have when it has the own rows too. */
    public BindingTable whole() {
        return replicated.merge(own);
    }

    /** How many sessions have a usable row. */
    public int live(long nowMs) {
        int live = replicated.live(nowMs);
        for (int i = 0; i < own.size(); i++) {
            var row = own.row(i);
            boolean before =
                    replicated.row(row.key()).filter(r -> r.usable(nowMs)).isPresent();
            live += (row.usable(nowMs) ? 1 : 0) - (before ? 1 : 0);
        }
        return live;
    }

    /** Whether raising the floor to this moment would drop a row. */
    public boolean due(long floorMs) {
        return replicated.due(floorMs) || own.due(floorMs);
    }
}
