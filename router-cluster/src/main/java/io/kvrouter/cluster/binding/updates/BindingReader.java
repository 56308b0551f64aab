package io.kvrouter.cluster.binding.updates;

import io.kvrouter.cluster.binding.BindingReplica;
import io.kvrouter.cluster.binding.updates.BindingChanges.Change;
import io.kvrouter.cluster.binding.updates.BindingChanges.None;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads all changes of the bindings from some point on. Holds a position and nothing else: what a session is told as is
 * looked up when it is read, so a slow reader misses states in between, never the last one. One reader, one thread at a
 * time.
 */
public final class BindingReader {
    private static final int FOLLOWING = -1;
    private static final long NOWHERE = -1;

    private final BindingReplica replica;
    private final BindingChanges changes;
    private long position;
    private int table = FOLLOWING;
    private int row;
    private BindingTable rows = BindingTable.EMPTY;

    /**
     * Reads on after a number, or begins with a snapshot.
     *
     * @param after empty, or not remembered any more: a snapshot comes first
     */
    public BindingReader(BindingReplica replica, BindingChanges changes, OptionalLong after) {
        this.replica = replica;
        this.changes = changes;
        this.position = after.orElse(NOWHERE);
    }

    /** What comes next; empty if there is nothing new. */
    public Optional<BindingUpdate> next() {
        return table == FOLLOWING ? nextChange() : Optional.of(nextOfSnapshot());
    }

    private Optional<BindingUpdate> nextChange() {
        return switch (changes.nextAfter(position)) {
            case Change(long number, SessionKey key) -> {
                position = number;
                yield Optional.of(replica.row(key)
                        .<BindingUpdate>map(now -> new BindingUpdate.State(now, OptionalLong.of(number)))
                        .orElseGet(() -> new BindingUpdate.Expired(key, number)));
            }
            case None none ->
                switch (none) {
                    case UP_TO_DATE -> Optional.empty();
                    case BEHIND -> Optional.of(beginSnapshot());
                };
        };
    }

    /** What changes from here on is read after the snapshot, once more if the snapshot has it already. */
    private BindingUpdate beginSnapshot() {
        position = changes.last();
        table = 0;
        row = 0;
        rows = replica.table(0);
        return new BindingUpdate.SnapshotBegins();
    }

    private BindingUpdate nextOfSnapshot() {
        while (row >= rows.size()) {
            table++;
            row = 0;
            if (table == SessionKey.TABLES) {
                table = FOLLOWING;
                rows = BindingTable.EMPTY;
                return new BindingUpdate.SnapshotEnds(position);
            }
            rows = replica.table(table);
        }
        return new BindingUpdate.State(rows.row(row++), OptionalLong.empty());
    }
}
