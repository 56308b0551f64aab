package io.kvrouter.cluster.permit;

import io.kvrouter.cluster.membership.OtherMembers;
import io.kvrouter.permit.PermitGrants;
import io.kvrouter.permit.PermitOffice;
import io.kvrouter.permit.PermitReport;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
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

    /** A node that was downed should have ended by now. */
    private record Rested(long node) implements Command {}

    private record MemberSeen(ClusterEvent.MemberEvent event) implements Command {}

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final String nodesPath;
    private final DownedNodes downed;
    private final TimerScheduler<Command> timers;
    private final PermitOffice office;
    private final Map<Long, Member> members = new HashMap<>();

    private PermitOfficeActor(ActorContext<Command> context, Setup setup, TimerScheduler<Command> timers) {
        super(context);
        this.nodesPath = setup.nodesPath();
        this.downed = setup.downed();
        this.timers = timers;
        Cluster cluster = Cluster.get(context.getSystem());
        Stream.concat(OtherMembers.of(cluster), Stream.of(cluster.selfMember()))
                .forEach(member -> members.put(uid(member), member));
        Set<Long> mayLive = new HashSet<>(downed.resting());
        downedMembers(cluster).forEach(mayLive::add);
        members.keySet().removeAll(mayLive);
        this.office =
                new PermitOffice(System.currentTimeMillis(), uid(cluster.selfMember()), members.keySet(), mayLive);
        mayLive.forEach(this::rest);
        timers.startTimerWithFixedDelay(Complain.DUE, PATIENCE);
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(ClusterEvent.MemberEvent.class, MemberSeen::new),
                        ClusterEvent.MemberEvent.class));
    }

    private record Setup(String nodesPath, DownedNodes downed) {}

    private static long uid(Member member) {
        return member.uniqueAddress().longUid();
    }

    /** Downed, and not removed yet: until they are they count, however long that takes. */
    private static Stream<Long> downedMembers(Cluster cluster) {
        return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                .filter(member -> member.status().equals(MemberStatus.down()))
                .map(PermitOfficeActor::uid);
    }

    /**
     * The office.
     *
     * @param nodesPath where it finds what a node's part is, in each node's system
     * @param downed as this node has seen it since its start
     */
    static Behavior<PermitMessage> create(String nodesPath, DownedNodes downed) {
        return Behaviors.setup(outer -> {
            ActorRef<Command> office = outer.spawn(actor(new Setup(nodesPath, downed)), "office");
            return Behaviors.receiveMessage(message -> {
                if (message instanceof PermitMessage.Told(var report)) {
                    office.tell(new FromNode(report));
                }
                return Behaviors.same();
            });
        });
    }

    private static Behavior<Command> actor(Setup setup) {
        return Behaviors.setup(
                context -> Behaviors.withTimers(timers -> new PermitOfficeActor(context, setup, timers)));
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
            case Rested(long node) -> rest(node);
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
        long node = uid(member);
        downed.learn(event);
        if (event instanceof ClusterEvent.MemberDowned) {
            members.remove(node);
            office.downs(node);
        } else if (event instanceof ClusterEvent.MemberRemoved) {
            members.remove(node);
            if (!downed.left(node).isZero()) {
                office.downs(node);
            }
            rest(node);
        } else if (members.put(node, member) == null) {
            office.joins(node);
        }
    }

    /** What the node holds is free when it is removed, and has had the time to end. */
    private void rest(long node) {
        Duration left = downed.left(node);
        if (left.isZero()
                && downedMembers(Cluster.get(getContext().getSystem())).anyMatch(id -> id == node)) {
            left = LOOK_AGAIN;
        }
        if (left.isZero()) {
            office.leaves(node);
        } else {
            timers.startSingleTimer(node, new Rested(node), left);
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
