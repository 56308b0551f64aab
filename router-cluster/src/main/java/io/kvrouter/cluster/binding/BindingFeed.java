package io.kvrouter.cluster.binding;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.ddata.typed.javadsl.ReplicatorMessageAdapter;

/** Brings every change of the tables into the node's {@link BindingReplica}. */
final class BindingFeed {
    private static final Duration UNUSED_ASK_TIMEOUT = Duration.ofSeconds(1);

    private BindingFeed() {}

    private record Changed(int table, Replicator.SubscribeResponse<BindingTableData> response) {}

    static Behavior<?> create(ActorRef<Replicator.Command> replicator, BindingReplica replica) {
        return Behaviors.<Changed>setup(context -> {
            var adapter =
                    new ReplicatorMessageAdapter<Changed, BindingTableData>(context, replicator, UNUSED_ASK_TIMEOUT);
            for (int i = 0; i < TableKey.ALL.size(); i++) {
                int table = i;
                adapter.subscribe(TableKey.ALL.get(i), response -> new Changed(table, response));
            }
            return Behaviors.receiveMessage(changed -> {
                if (changed.response() instanceof Replicator.Changed<BindingTableData> data) {
                    replica.merge(
                            changed.table(),
                            data.get(TableKey.ALL.get(changed.table())).table());
                }
                return Behaviors.same();
            });
        });
    }
}
