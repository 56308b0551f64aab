package io.kvrouter.cluster.kv.join;

import io.kvrouter.cluster.kv.join.SnapshotPeer.Ask;
import io.kvrouter.cluster.kv.join.SnapshotPeer.Chunk;
import io.kvrouter.cluster.kv.join.SnapshotPeer.Nothing;
import io.kvrouter.cluster.kv.join.SnapshotPeer.Offer;
import io.kvrouter.cluster.kv.join.SnapshotPeer.Pull;
import io.kvrouter.cluster.membership.OtherMembers;
import io.kvrouter.kv.fleet.KvIndexes;
import io.kvrouter.kv.fleet.KvIndexes.Followed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
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
 * Reads from other nodes what this one's streams can't know: what was before it joined, and what was lost for good. One
 * member after the other is asked for a rank, a few ranks at once; requests are served all the while.
 */
public final class SnapshotReader extends AbstractMatchingBehavior<SnapshotReader.Command> {
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final int AT_ONCE = 4;
    private static final long ANSWER_MS = 3_000;
    private static final long AGAIN_MS = 60_000;

    /** What the reader hears. */
    public sealed interface Command {}

    private enum Tick implements Command {
        NOW
    }

    private record Heard(SnapshotPeer.Reply reply) implements Command {}

    private final KvIndexes indexes;
    private final LongSupplier clock;
    private final ActorRef<SnapshotPeer.Reply> ears;
    private final Map<Followed, Reading> readings = new HashMap<>();
    private final Map<Followed, Long> again = new HashMap<>();

    private SnapshotReader(ActorContext<Command> context, KvIndexes indexes, LongSupplier clock) {
        super(context);
        this.indexes = indexes;
        this.clock = clock;
        this.ears = context.messageAdapter(SnapshotPeer.Reply.class, Heard::new);
    }

    /** Creates the actor; the clock is that of the streams, in ms. */
    public static Behavior<Command> create(KvIndexes indexes, LongSupplier clock) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(Tick.NOW, INTERVAL);
            return new SnapshotReader(context, indexes, clock);
        }));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Tick tick -> onTick();
            case Heard(Offer offer) -> onOffer(offer);
            case Heard(Nothing nothing) -> askNext(nothing.rank());
            case Heard(Chunk chunk) -> onChunk(chunk);
        }
        return this;
    }

    private void onTick() {
        long now = clock.getAsLong();
        again.values().removeIf(time -> time <= now);
        List<Followed> late = readings.entrySet().stream()
                .filter(reading -> reading.getValue().late(now))
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(this::askNext);
        List<Address> members = members();
        for (Followed rank : indexes.helpless()) {
            if (readings.size() < AT_ONCE && !readings.containsKey(rank) && !again.containsKey(rank)) {
                readings.put(rank, new Reading(members));
                askNext(rank);
            }
        }
    }

    /** The other members, in an order of chance: so that a node which joins burdens all of them. */
    private List<Address> members() {
        var cluster = Cluster.get(getContext().getSystem());
        List<Address> members = new ArrayList<>(OtherMembers.of(cluster)
                .filter(member -> member.status().equals(MemberStatus.up()))
                .map(Member::address)
                .toList());
        Collections.shuffle(members);
        return members;
    }

    private void askNext(Followed rank) {
        var reading = readings.get(rank);
        if (reading == null) {
            return;
        }
        long until = clock.getAsLong() + ANSWER_MS;
        var peer = reading.nextPeer(until);
        if (peer.isEmpty()) {
            end(rank);
            indexes.act(rank, stream -> stream.letGo(clock.getAsLong()));
            return;
        }
        hold(rank, until);
        Adapter.toClassic(getContext().getSystem())
                .actorSelection(peer.get() + "/system/" + SnapshotPeer.NAME)
                .tell(new Ask(rank, ears), org.apache.pekko.actor.ActorRef.noSender());
    }

    private void hold(Followed rank, long until) {
        indexes.act(rank, stream -> {
            if (stream.wantsHelp()) {
                stream.hold(until);
            }
        });
    }

    private void end(Followed rank) {
        readings.remove(rank);
        again.put(rank, clock.getAsLong() + AGAIN_MS);
    }

    private void onOffer(Offer offer) {
        long until = clock.getAsLong() + ANSWER_MS;
        var reading = readings.get(offer.rank());
        if (reading != null && reading.takes(offer, until)) {
            pull(offer.rank(), reading, until);
        }
    }

    private void onChunk(Chunk chunk) {
        long until = clock.getAsLong() + ANSWER_MS;
        var found = readings.entrySet().stream()
                .filter(reading -> reading.getValue().reads(chunk.transfer()))
                .findFirst();
        found.ifPresent(reading -> {
            if (reading.getValue().takes(chunk, until)) {
                pull(reading.getKey(), reading.getValue(), until);
            }
        });
    }

    private void pull(Followed rank, Reading reading, long until) {
        hold(rank, until);
        reading.nextChunk()
                .ifPresent(chunk ->
                        reading.offer().peer().tell(new Pull(reading.offer().transfer(), chunk, ears)));
        reading.snapshot().ifPresent(snapshot -> {
            end(rank);
            indexes.act(rank, stream -> stream.restore(snapshot, clock.getAsLong()));
        });
    }
}
