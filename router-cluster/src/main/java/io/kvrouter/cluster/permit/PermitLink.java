package io.kvrouter.cluster.permit;

import io.kvrouter.booking.AdmittedDesk;
import io.kvrouter.permit.PermitGrants;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.SingletonActor;

/**
 * A node's way to the office of the workers' permits. What the node gives back is told at once, what it would like some ms
 * later, so that many requests which come together are one message; the longer messages are, the fewer.
 */
public final class PermitLink {
    private static final String NAME = "kvrouter-permits";
    private static final String NODE_NAME = "permits";
    private static final long INTERVAL_MS = 10;
    private static final int ROWS_PER_MS = 10;

    private final ActorRef<PermitMessage> office;
    private long next;

    private PermitLink(ActorRef<PermitMessage> office) {
        this.office = office;
    }

    /**
     * Starts this node's part, as a child of the actor whose context it is, which has the same path on every node. Also
     * where workers have no cap: the office may come to be on this node, and other nodes may have one already.
     *
     * @param heard is told what the office says
     */
    public static PermitLink start(ActorContext<?> context, Consumer<PermitGrants> heard) {
        ActorRef<PermitMessage> own = context.spawn(door(heard), NODE_NAME, DispatcherSelector.sameAsParent());
        var office = PermitOfficeActor.create(own.path().toStringWithoutAddress());
        return new PermitLink(ClusterSingleton.get(context.getSystem()).init(SingletonActor.of(office, NAME)));
    }

    private static Behavior<PermitMessage> door(Consumer<PermitGrants> heard) {
        return Behaviors.receiveMessage(message -> {
            if (message instanceof PermitMessage.Granted(var grants)) {
                heard.accept(grants);
            }
            return Behaviors.same();
        });
    }

    /** Tells the office what it has to hear of this desk by now. */
    public void tell(AdmittedDesk desk, long now) {
        if (desk.hasNews() || now >= next) {
            next = now + INTERVAL_MS;
            desk.report().ifPresent(report -> {
                next = now + Math.max(INTERVAL_MS, report.rows().size() / ROWS_PER_MS);
                office.tell(new PermitMessage.Told(report));
            });
        }
    }
}
