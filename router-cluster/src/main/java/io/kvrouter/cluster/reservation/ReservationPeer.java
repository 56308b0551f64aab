package io.kvrouter.cluster.reservation;

import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Answers for the reservations of its node. At the same path on every node. */
public final class ReservationPeer extends AbstractMatchingBehavior<ReservationPeer.Command> {
    static final String NAME = "kvrouter-reservation-peer";

    /** What another node asks. */
    public sealed interface Command {}

    /** A caller said this of one of your reservations. */
    public record Ask(ReservationCall call, ActorRef<Reply> replyTo) implements Command {}

    /** What another node hears. */
    public sealed interface Reply {}

    /** How the reservation stands after the call. */
    public record Stands(Standing standing) implements Reply {}

    private final Function<ReservationCall, Standing> own;

    private ReservationPeer(ActorContext<Command> context, Function<ReservationCall, Standing> own) {
        super(context);
        this.own = own;
    }

    static Behavior<Command> create(Function<ReservationCall, Standing> own) {
        return Behaviors.setup(context -> new ReservationPeer(context, own));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Ask(var call, var replyTo) -> replyTo.tell(new Stands(own.apply(call)));
        }
        return this;
    }
}
