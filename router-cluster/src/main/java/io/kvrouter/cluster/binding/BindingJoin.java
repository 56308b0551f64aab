package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.membership.OtherMembers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;

/**
 * Reads all tables from ready members before this node hosts a shard: an actor of a session that its node knows nothing
 * of would bind it anew. Skipped only when every other member, asked by name, has said that it is not ready itself, or
 * when there is none. A member that does not answer is waited for until it does or is no member any more.
 *
 * <p>One ready member is enough for a table: it has been sent every row that was written since it was ready, as this
 * node is from the moment on that all others know it. Nothing is read before: a row that a member wrote to those whom it
 * knew could reach the one that is read after it was read.
 */
final class BindingJoin extends AbstractMatchingBehavior<BindingJoin.Command> {
    private static final Duration INTERVAL = Duration.ofMillis(200);

    sealed interface Command {}

    private enum Tick implements Command {
        NOW
    }

    private record Heard(BindingPeer.Reply reply) implements Command {}

    private final BindingReplica replica;
    private final CompletableFuture<Done> joined;
    private final ActorRef<BindingPeer.Reply> ears;
    private final JoinProgress progress = new JoinProgress();
    private boolean known;

    private BindingJoin(ActorContext<Command> context, BindingReplica replica, CompletableFuture<Done> joined) {
        super(context);
        this.replica = replica;
        this.joined = joined;
        this.ears = context.messageAdapter(BindingPeer.Reply.class, Heard::new);
    }

    static Behavior<?> create(BindingReplica replica, CompletableFuture<Done> joined) {
        return Behaviors.<Command>setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(Tick.NOW, Duration.ZERO, INTERVAL);
            return new BindingJoin(context, replica, joined);
        }));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        return switch (command) {
            case Tick tick -> onTick();
            case Heard(BindingPeer.Readiness readiness) -> onReadiness(readiness);
            case Heard(BindingPeer.TableRead table) -> onTableRead(table);
        };
    }

    private Behavior<Command> onTick() {
        var cluster = Cluster.get(getContext().getSystem());
        if (!cluster.selfMember().status().equals(MemberStatus.up())) {
            return this;
        }
        var others = others(cluster);
        if (others.isEmpty() || progress.nobodyReady(others)) {
            return finish();
        }
        known = known || seenByAll(cluster);
        if (!known) {
            return this;
        }
        progress.ask(others);
        var system = Adapter.toClassic(getContext().getSystem());
        others.forEach(address -> system.actorSelection(address + "/system/" + BindingPeer.NAME)
                .tell(new BindingPeer.Probe(ears), org.apache.pekko.actor.ActorRef.noSender()));
        if (progress.stalled()) {
            requestTables();
        }
        return this;
    }

    private Behavior<Command> onReadiness(BindingPeer.Readiness readiness) {
        progress.heard(readiness);
        return this;
    }

    private Behavior<Command> onTableRead(BindingPeer.TableRead read) {
        replica.merge(read.number(), read.table());
        boolean windowDone = progress.read(read.number());
        if (progress.complete()) {
            return finish();
        }
        if (windowDone) {
            requestTables();
        }
        return this;
    }

    private void requestTables() {
        progress.source()
                .ifPresent(peer -> progress.next().forEach(table -> peer.tell(new BindingPeer.Read(table, ears))));
    }

    private Behavior<Command> finish() {
        joined.complete(Done.getInstance());
        return Behaviors.stopped();
    }

    /** All members that can be reached have seen this node come up, so they write to it. */
    private static boolean seenByAll(Cluster cluster) {
        var seen = cluster.state().getSeenBy();
        var unreachable = cluster.state().getUnreachable();
        return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                .filter(member -> !unreachable.contains(member))
                .allMatch(member -> seen.contains(member.address()));
    }

    private static Set<Address> others(Cluster cluster) {
        return OtherMembers.of(cluster).map(Member::address).collect(Collectors.toSet());
    }
}
