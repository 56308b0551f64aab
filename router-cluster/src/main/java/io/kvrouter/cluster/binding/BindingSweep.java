package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.binding.table.BindingTableData;
import io.kvrouter.cluster.binding.table.ReplicatedTables;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.replica.SweepFloor;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Forgets rows past their deadline, on every node alike: the floor is that of {@link SweepFloor}. Where a table has more
 * rows than it may, those nearest to their deadline go too.
 */
final class BindingSweep {
    private enum Tick {
        NOW
    }

    /** What is swept, and who counts it. */
    record Memory(BindingReplica replica, BindingCounts counts) {}

    private final Memory memory;
    private final SweepFloor floors;
    private final int maxRows;
    private final ReplicatedTables tables;

    private BindingSweep(Memory memory, BindingSettings settings, ReplicatedTables tables) {
        this.memory = memory;
        this.floors =
                new SweepFloor(settings.sweep().toMillis(), settings.skew().toMillis());
        this.maxRows = settings.maxRows();
        this.tables = tables;
    }

    static Behavior<?> create(
            ReplicatedTables tables,
            Memory memory,
            BindingSettings settings,
            Supplier<OptionalLong> lowestMemberClock) {
        return Behaviors.<Tick>setup(context -> Behaviors.withTimers(timers -> {
            var sweep = new BindingSweep(memory, settings, tables);
            timers.startTimerWithFixedDelay(Tick.NOW, settings.sweep());
            return Behaviors.receiveMessage(tick -> {
                lowestMemberClock.get().ifPresent(lowest -> sweep.upTo(sweep.floors.at(lowest)));
                return Behaviors.same();
            });
        }));
    }

    private void upTo(long floor) {
        for (int number = 0; number < SessionKey.TABLES; number++) {
            boolean over = memory.replica().over(number, maxRows);
            if (over || memory.replica().due(number, floor)) {
                tables.change(number, data -> sweep(data, floor));
            }
        }
    }

    private BindingTableData sweep(BindingTableData data, long floor) {
        var swept = data.with(BindingTable.of(floor, List.of()));
        var bounded = swept.atMost(maxRows);
        memory.counts().swept(data.table().size() - swept.table().size());
        memory.counts().bounded(swept.table().size() - bounded.table().size());
        return bounded;
    }
}
