package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.binding.BindingTableData.TableKey;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;

/**
 * Forgets rows past their deadline, on every node alike: the floor follows the lowest clock of the members, less the
 * skew, rounded down to the interval. So the nodes come to equal tables, and one clock that steps ahead drops nothing.
 */
final class BindingSweep {
    private enum Tick {
        NOW
    }

    private BindingSweep() {}

    static Behavior<?> create(
            ActorRef<Replicator.Command> replicator,
            BindingReplica replica,
            BindingSettings settings,
            Supplier<OptionalLong> lowestMemberClock) {
        return Behaviors.<Tick>setup(context -> Behaviors.withTimers(timers -> {
            ActorRef<Replicator.UpdateResponse<BindingTableData>> nobody =
                    context.getSystem().ignoreRef();
            timers.startTimerWithFixedDelay(Tick.NOW, settings.sweep());
            return Behaviors.receiveMessage(tick -> {
                lowestMemberClock.get().ifPresent(lowest -> {
                    long floor = floor(lowest, settings);
                    due(replica, floor).forEach(table -> replicator.tell(raise(table, floor, nobody)));
                });
                return Behaviors.same();
            });
        }));
    }

    static long floor(long lowestClockMs, BindingSettings settings) {
        long interval = settings.sweep().toMillis();
        return Math.floorDiv(lowestClockMs - settings.skew().toMillis(), interval) * interval;
    }

    private static List<Integer> due(BindingReplica replica, long floor) {
        return IntStream.range(0, SessionKey.TABLES)
                .filter(table -> replica.table(table).due(floor))
                .boxed()
                .toList();
    }

    private static Replicator.Command raise(
            int table, long floor, ActorRef<Replicator.UpdateResponse<BindingTableData>> replyTo) {
        var raised = BindingTable.of(floor, List.of());
        return new Replicator.Update<>(
                TableKey.ALL.get(table),
                BindingTableData.EMPTY,
                Replicator.writeLocal(),
                replyTo,
                data -> data.with(raised));
    }
}
