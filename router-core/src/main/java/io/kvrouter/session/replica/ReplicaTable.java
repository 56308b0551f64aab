package io.kvrouter.session.replica;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.util.Optional;

/**
 * One binding table as its node reads it: what the replication has, and the rows that it does not have yet, which this
 * node has made or was told by the one that did. Kept apart, so that a row that was just made costs no copy of its whole
 * table, and so that the replication's table is shared and not copied.
 *
 * @param replicated the replication's very table, as a rule
 * @param ahead few: the rows by which this node is ahead of it
 */
public record ReplicaTable(BindingTable replicated, BindingTable ahead) {
    public static final ReplicaTable EMPTY = new ReplicaTable(BindingTable.EMPTY, BindingTable.EMPTY);

    public ReplicaTable {
        ahead = ahead.size() == 0 ? BindingTable.EMPTY : ahead.beyond(replicated);
    }

    /** The greater of both rows. */
    public Optional<BindingRow> row(SessionKey key) {
        Optional<BindingRow> newer = ahead.size() == 0 ? Optional.empty() : ahead.row(key);
        return newer.isPresent() ? newer : replicated.row(key);
    }

    /** With a row that the replication may not have yet. */
    public ReplicaTable with(BindingRow row) {
        return new ReplicaTable(replicated, ahead.merge(BindingTable.of(row)));
    }

    /** With what the replication has now, or what another node has. */
    public ReplicaTable merge(BindingTable table) {
        return new ReplicaTable(replicated.merge(table), ahead);
    }

    /** What the replication will have when it has all rows. */
    public BindingTable whole() {
        return replicated.merge(ahead);
    }

    /** How many sessions have a usable row. */
    public int live(long nowMs) {
        int live = replicated.live(nowMs);
        for (int i = 0; i < ahead.size(); i++) {
            var row = ahead.row(i);
            boolean before =
                    replicated.row(row.key()).filter(r -> r.usable(nowMs)).isPresent();
            live += (row.usable(nowMs) ? 1 : 0) - (before ? 1 : 0);
        }
        return live;
    }

    /** Whether raising the floor to this moment would drop a row. */
    public boolean due(long floorMs) {
        return replicated.due(floorMs) || ahead.due(floorMs);
    }
}
