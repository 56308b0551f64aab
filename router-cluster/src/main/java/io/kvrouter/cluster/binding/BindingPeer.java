package io.kvrouter.cluster.binding;

import io.kvrouter.session.BindingTable;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Lets a joining node read this node's tables. At the same path on every node, so that a joining node can ask each
 * member whether it is ready: membership alone does not tell.
 */
public final class BindingPeer extends AbstractMatchingBehavior<BindingPeer.Command> {
    static final String NAME = "kvrouter-binding-peer";

    /** What a joining node asks. */
    public sealed interface Command {}

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

    private BindingPeer(ActorContext<Command> context, BindingReplica replica, BooleanSupplier ready) {
        super(context);
        this.replica = replica;
        this.ready = ready;
    }

    static Behavior<Command> create(BindingReplica replica, BooleanSupplier ready) {
        return Behaviors.setup(context -> new BindingPeer(context, replica, ready));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Probe probe ->
                probe.replyTo()
                        .tell(new Readiness(ready.getAsBoolean(), getContext().getSelf()));
            case Read read -> read.replyTo().tell(new TableRead(read.table(), replica.table(read.table())));
        }
        return this;
    }
}
