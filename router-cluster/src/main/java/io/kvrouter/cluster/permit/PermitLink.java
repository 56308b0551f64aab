package io.kvrouter.cluster.permit;

import io.kvrouter.booking.AdmittedDesk;
import io.kvrouter.permit.PermitGrants;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.typed.Cluster;
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
    private final DownedNodes downed;
    private final long self;
    private long next;

    private PermitLink(ActorRef<PermitMessage> office, DownedNodes downed, long self) {
        this.office = office;
        this.downed = downed;
        this.self = self;
    }

    /**
     * Starts this node's part, as a child of the actor whose context it is, which has the same path on every node. Also
     * where workers have no cap: the office may come to be on this node, and other nodes may have one already.
     *
     * @param rest how long what a downed node holds is given to nobody
     * @param heard makes a message to that actor of what the office says
     */
    public static <C> PermitLink start(ActorContext<C> context, Duration rest, Function<PermitGrants, C> heard) {
        ActorRef<C> actor = context.getSelf();
        ActorRef<PermitMessage> own = context.spawn(
                door(grants -> actor.tell(heard.apply(grants))), NODE_NAME, DispatcherSelector.sameAsParent());
        var downed = new DownedNodes(rest, System::nanoTime);
        var office = PermitOfficeActor.create(own.path().toStringWithoutAddress(), downed);
        return new PermitLink(
                ClusterSingleton.get(context.getSystem()).init(SingletonActor.of(office, NAME)),
                downed,
                Cluster.get(context.getSystem()).selfMember().uniqueAddress().longUid());
    }

    private static Behavior<PermitMessage> door(Consumer<PermitGrants> heard) {
        return Behaviors.receiveMessage(message -> {
            if (message instanceof PermitMessage.Granted(var grants)) {
                heard.accept(grants);
            }
            return Behaviors.same();
        });
    }

    /** What happened to a member: where that is this node, and it is none any more, the desk books nothing more. */
    public void learn(ClusterEvent.MemberEvent event, AdmittedDesk desk) {
        downed.learn(event);
        boolean over = event instanceof ClusterEvent.MemberDowned || event instanceof ClusterEvent.MemberRemoved;
        if (over && event.member().uniqueAddress().longUid() == self) {
            desk.cutOff();
        }
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
