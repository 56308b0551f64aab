package io.kvrouter.cluster.reservation;

import io.kvrouter.cluster.membership.OtherMembers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;

/** The other nodes, as holders of reservations. Any thread may ask; nothing blocks. */
public final class ReservationPeers {
    /** How long one node may take to answer: longer than a pause, shorter than a caller's patience. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final ActorSystem<?> system;
    private final Cluster cluster;

    private ReservationPeers(ActorSystem<?> system) {
        this.system = system;
        this.cluster = Cluster.get(system);
    }

    /**
     * Starts this node's own part. Once per actor system.
     *
     * @param own answers for this node's reservations; called on the actor's thread, must not block
     */
    public static ReservationPeers start(ActorSystem<?> system, Function<ReservationCall, Standing> own) {
        system.systemActorOf(ReservationPeer.create(own), ReservationPeer.NAME, Props.empty());
        return new ReservationPeers(system);
    }

    /** This node's uid: the first part of its reservations' names. */
    public long self() {
        return cluster.selfMember().uniqueAddress().longUid();
    }

    /** The node is a member of the cluster; one that can't be reached is, until it is downed. */
    public boolean isMember(long node) {
        return node == self() || member(node).isPresent();
    }

    /** Asks another member; fails with a time-out if it does not answer, and is empty if there is no such member. */
    public CompletionStage<Optional<Standing>> ask(long node, ReservationCall call) {
        return member(node)
                .map(member -> ask(member, call).thenApply(Optional::of))
                .orElseGet(() -> CompletableFuture.completedStage(Optional.empty()));
    }

    /** Tells all other members, and how it stands with the one that knows the reservation. Who is silent knows nothing. */
    public CompletionStage<Standing> askAll(ReservationCall call) {
        List<CompletableFuture<Standing>> asked = OtherMembers.of(cluster)
                .map(member -> ask(member, call)
                        .exceptionally(silent -> Standing.UNKNOWN)
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(all -> asked.stream()
                        .map(CompletableFuture::join)
                        .min(Standing::compareTo)
                        .orElse(Standing.UNKNOWN));
    }

    private CompletionStage<Standing> ask(Member member, ReservationCall call) {
        ActorRef<ReservationPeer.Command> peer =
                ActorRefResolver.get(system).resolveActorRef(member.address() + "/system/" + ReservationPeer.NAME);
        return AskPattern.<ReservationPeer.Command, ReservationPeer.Reply>ask(
                        peer, replyTo -> new ReservationPeer.Ask(call, replyTo), TIMEOUT, system.scheduler())
                .thenApply(reply -> switch (reply) {
                    case ReservationPeer.Stands(var standing) -> standing;
                });
    }

    private Optional<Member> member(long node) {
        return OtherMembers.of(cluster)
                .filter(member -> member.uniqueAddress().longUid() == node)
                .findFirst();
    }
}
