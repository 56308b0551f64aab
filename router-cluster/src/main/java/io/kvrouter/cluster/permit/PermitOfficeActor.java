package io.kvrouter.cluster.permit;

import io.kvrouter.cluster.membership.OtherMembers;
import io.kvrouter.permit.PermitGrants;
import io.kvrouter.permit.PermitOffice;
import io.kvrouter.permit.PermitReport;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;

/** The cluster's one {@link PermitOffice}. It lives on the oldest node, and a new one begins when that is gone. */
final class PermitOfficeActor extends AbstractMatchingBehavior<PermitOfficeActor.Command> {
    /** A message to the actor. */
    sealed interface Command {}

    /** From a node. */
    record FromNode(PermitReport report) implements Command {}

    /** Time to say who keeps all others waiting. */
    private enum Complain implements Command {
        DUE
    }

    private record MemberSeen(ClusterEvent.MemberEvent event) implements Command {}

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String nodesPath;
    private final PermitOffice office;
    private final Map<Long, Member> members = new HashMap<>();

    private PermitOfficeActor(ActorContext<Command> context, String nodesPath) {
        super(context);
        this.nodesPath = nodesPath;
        Cluster cluster = Cluster.get(context.getSystem());
        Stream.concat(OtherMembers.of(cluster), Stream.of(cluster.selfMember()))
                .forEach(member -> members.put(member.uniqueAddress().longUid(), member));
        this.office = new PermitOffice(
                System.currentTimeMillis(), cluster.selfMember().uniqueAddress().longUid(), members.keySet());
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(ClusterEvent.MemberEvent.class, MemberSeen::new),
                        ClusterEvent.MemberEvent.class));
    }

    /**
     * The office.
     *
     * @param nodesPath where it finds what a node's part is, in each node's system
     */
    static Behavior<PermitMessage> create(String nodesPath) {
        return Behaviors.setup(outer -> {
            ActorRef<Command> office = outer.spawn(actor(nodesPath), "office");
            return Behaviors.receiveMessage(message -> {
                if (message instanceof PermitMessage.Told(var report)) {
                    office.tell(new FromNode(report));
                }
                return Behaviors.same();
            });
        });
    }

    private static Behavior<Command> actor(String nodesPath) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(Complain.DUE, PATIENCE);
            return new PermitOfficeActor(context, nodesPath);
        }));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case FromNode(var report) -> {
                office.told(report);
                if (office.asks(report.node())) {
                    tell(report.node(), office.question());
                }
            }
            case MemberSeen(var event) -> onMember(event);
            case Complain due -> complain();
        }
        office.news().forEach(this::tell);
        return this;
    }

    private void complain() {
        var silent = office.awaited().stream()
                .map(members::get)
                .filter(Objects::nonNull)
                .map(Member::address)
                .toList();
        if (!silent.isEmpty()) {
            getContext()
                    .getLog()
                    .warn("permits of workers can't be shared out before these nodes say what they hold: {}", silent);
        }
    }

    private void onMember(ClusterEvent.MemberEvent event) {
        Member member = event.member();
        long node = member.uniqueAddress().longUid();
        if (event instanceof ClusterEvent.MemberRemoved) {
            members.remove(node);
            office.leaves(node);
        } else if (members.put(node, member) == null) {
            office.joins(node);
        }
    }

    private void tell(long node, PermitGrants grants) {
        Member member = members.get(node);
        if (member != null) {
            ActorRef<PermitMessage> part = ActorRefResolver.get(getContext().getSystem())
                    .resolveActorRef(member.uniqueAddress().address() + nodesPath);
            part.tell(new PermitMessage.Granted(grants));
        }
    }
}
