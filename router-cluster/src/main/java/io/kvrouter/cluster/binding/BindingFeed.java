package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.binding.table.BindingTableData;
import io.kvrouter.cluster.binding.table.BindingTableData.TableKey;
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

    static Behavior<?> create(ActorRef<Replicator.Command> replicator, BindingReplica replica) {
        return Behaviors.<Replicator.SubscribeResponse<BindingTableData>>setup(context -> {
            var adapter =
                    new ReplicatorMessageAdapter<Replicator.SubscribeResponse<BindingTableData>, BindingTableData>(
                            context, replicator, UNUSED_ASK_TIMEOUT);
            // One function for all keys: of several, an actor keeps only the last.
            TableKey.ALL.forEach(key -> adapter.subscribe(key, response -> response));
            return Behaviors.receiveMessage(response -> {
                if (response instanceof Replicator.Changed<BindingTableData> changed) {
                    replica.merge(
                            TableKey.number(changed.key()),
                            changed.get(changed.key()).table());
                }
                return Behaviors.same();
            });
        });
    }
}
