package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.binding.table.ReplicatedTables;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Hands on rows that only this node has: their maker told it, and died before Distributed Data had them. Who was told
 * replicates a row that has been ahead of the replication for a whole interval, which is many times what that takes.
 */
final class BindingRepair {
    private enum Tick {
        NOW
    }

    private final BindingReplica replica;
    private final ReplicatedTables tables;
    private final BindingTable[] before = IntStream.range(0, SessionKey.TABLES)
            .mapToObj(number -> BindingTable.EMPTY)
            .toArray(BindingTable[]::new);

    BindingRepair(BindingReplica replica, ReplicatedTables tables) {
        this.replica = replica;
        this.tables = tables;
    }

    static Behavior<?> create(BindingReplica replica, ReplicatedTables tables, Duration interval) {
        return Behaviors.<Tick>setup(context -> Behaviors.withTimers(timers -> {
            var repair = new BindingRepair(replica, tables);
            timers.startTimerWithFixedDelay(Tick.NOW, interval);
            return Behaviors.receiveMessage(tick -> {
                repair.round();
                return Behaviors.same();
            });
        }));
    }

    /** Replicates what was ahead at the last round, and still is. */
    void round() {
        for (int number = 0; number < SessionKey.TABLES; number++) {
            var ahead = replica.ahead(number);
            var stuck = inBoth(ahead, before[number]);
            if (!stuck.isEmpty()) {
                var rows = BindingTable.of(0, stuck);
                tables.change(number, data -> data.with(rows));
            }
            before[number] = ahead;
        }
    }

    private static List<BindingRow> inBoth(BindingTable now, BindingTable before) {
        return IntStream.range(0, before.size() == 0 ? 0 : now.size())
                .mapToObj(now::row)
                .filter(row -> before.row(row.key()).filter(row::equals).isPresent())
                .toList();
    }
}
