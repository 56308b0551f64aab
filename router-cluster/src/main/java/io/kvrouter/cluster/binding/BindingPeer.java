package io.kvrouter.cluster.binding;

import io.kvrouter.session.BindingTable;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;

/**
 * Takes the rows that other nodes make, and lets a joining node read this node's tables. At the same path on every node,
 * so that a joining node can ask each member whether it is ready: membership alone does not tell.
 */
public final class BindingPeer extends AbstractMatchingBehavior<BindingPeer.Command> {
    static final String NAME = "kvrouter-binding-peer";

    /** What another node tells or asks. */
    public sealed interface Command {}

    /**
     * Rows that the sender has just made, of any tables. They come by Distributed Data too.
     *
     * @param delivery the sender's number of them
     */
    public record Rows(long delivery, BindingTable rows, ActorRef<Taken> replyTo) implements Command {}

    /**
     * The rows are in this node's replica.
     *
     * @param by the uid of this node
     */
    public record Taken(long delivery, long by) {}

    /** Whether this node has read all tables. */
    public record Probe(ActorRef<Reply> replyTo) implements Command {}

    /** One table, please. */
    public record Read(int table, ActorRef<Reply> replyTo) implements Command {}

    /** What a joining node hears. */
    public sealed interface Reply {}

    public record Readiness(boolean ready, ActorRef<Command> peer) implements Reply {}

    public record TableRead(int number, BindingTable table) implements Reply {}

    private final BindingReplica replica;
    private final BooleanSupplier ready;
    private final long uid;

    private BindingPeer(ActorContext<Command> context, BindingReplica replica, BooleanSupplier ready) {
        super(context);
        this.replica = replica;
        this.ready = ready;
        this.uid = Cluster.get(context.getSystem()).selfMember().uniqueAddress().longUid();
    }

    static Behavior<Command> create(BindingReplica replica, BooleanSupplier ready) {
        return Behaviors.setup(context -> new BindingPeer(context, replica, ready));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Rows(long delivery, var rows, var replyTo) -> {
                for (int i = 0; i < rows.size(); i++) {
                    replica.merge(rows.row(i));
                }
                replyTo.tell(new Taken(delivery, uid));
            }
            case Probe probe ->
                probe.replyTo()
                        .tell(new Readiness(ready.getAsBoolean(), getContext().getSelf()));
            case Read read -> read.replyTo().tell(new TableRead(read.table(), replica.table(read.table())));
        }
        return this;
    }
}
