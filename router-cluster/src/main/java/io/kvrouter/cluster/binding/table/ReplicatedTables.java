package io.kvrouter.cluster.binding.table;

import io.kvrouter.cluster.binding.table.BindingTableData.TableKey;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;

/**
 * All binding tables in this node's Distributed Data. A change counts here at once, and goes to the other nodes with the
 * others of the next second or two. Any thread.
 */
public final class ReplicatedTables {
    private final ActorRef<Replicator.Command> replicator;
    private final ActorRef<Replicator.UpdateResponse<BindingTableData>> nobody;

    public ReplicatedTables(ActorSystem<?> system, ActorRef<Replicator.Command> replicator) {
        this.replicator = replicator;
        this.nobody = system.ignoreRef();
    }

    /** Changes one table; the change must be a pure function. */
    public void change(int number, Function<BindingTableData, BindingTableData> change) {
        replicator.tell(new Replicator.Update<>(
                TableKey.ALL.get(number), BindingTableData.EMPTY, Replicator.writeLocal(), nobody, change));
    }
}
