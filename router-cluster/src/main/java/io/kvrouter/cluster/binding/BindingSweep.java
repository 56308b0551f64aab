package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.binding.BindingTableData.TableKey;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.replica.SweepFloor;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;

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
    private final ActorRef<Replicator.Command> replicator;
    private final ActorRef<Replicator.UpdateResponse<BindingTableData>> nobody;

    private BindingSweep(
            Memory memory,
            BindingSettings settings,
            ActorRef<Replicator.Command> replicator,
            ActorRef<Replicator.UpdateResponse<BindingTableData>> nobody) {
        this.memory = memory;
        this.floors =
                new SweepFloor(settings.sweep().toMillis(), settings.skew().toMillis());
        this.maxRows = settings.maxRows();
        this.replicator = replicator;
        this.nobody = nobody;
    }

    static Behavior<?> create(
            ActorRef<Replicator.Command> replicator,
            Memory memory,
            BindingSettings settings,
            Supplier<OptionalLong> lowestMemberClock) {
        return Behaviors.<Tick>setup(context -> Behaviors.withTimers(timers -> {
            var sweep = new BindingSweep(
                    memory, settings, replicator, context.getSystem().ignoreRef());
            timers.startTimerWithFixedDelay(Tick.NOW, settings.sweep());
            return Behaviors.receiveMessage(tick -> {
                lowestMemberClock.get().ifPresent(lowest -> sweep.upTo(sweep.floors.at(lowest)));
                return Behaviors.same();
            });
        }));
    }

    private void upTo(long floor) {
        for (int table = 0; table < SessionKey.TABLES; table++) {
            boolean over = memory.replica().over(table, maxRows);
            if (over || memory.replica().due(table, floor)) {
                replicator.tell(raise(table, floor));
            }
        }
    }

    private Replicator.Command raise(int table, long floor) {
        return new Replicator.Update<>(
                TableKey.ALL.get(table),
                BindingTableData.EMPTY,
                Replicator.writeLocal(),
                nobody,
                data -> sweep(data, floor));
    }

    private BindingTableData sweep(BindingTableData data, long floor) {
        var swept = data.with(BindingTable.of(floor, List.of()));
        var bounded = swept.atMost(maxRows);
        memory.counts().swept(data.table().size() - swept.table().size());
        memory.counts().bounded(swept.table().size() - bounded.table().size());
        return bounded;
    }
}
