package io.kvrouter.cluster.kv.join;

import io.kvrouter.kv.event.CacheChunk;
import io.kvrouter.kv.fleet.KvIndexes;
import io.kvrouter.kv.fleet.KvIndexes.Followed;
import io.kvrouter.kv.stream.RankSnapshot;
import io.kvrouter.kv.stream.StreamState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Lets other nodes read what this one knows of a rank's cache, in chunks that are pulled one at a time. A snapshot is
 * held while it is read, about 25 bytes a block; only so many at once.
 */
public final class SnapshotPeer extends AbstractMatchingBehavior<SnapshotPeer.Command> {
    /** At the same path on every node. */
    public static final String NAME = "kvrouter-kv-snapshots";

    private static final int MOST_TRANSFERS = 8;
    private static final Duration UNREAD = Duration.ofSeconds(30);

    /** What a node asks, or this one hears from its own streams. */
    public sealed interface Command {}

    /** What do you know of this rank? Answered by an {@link Offer}, or by {@link Nothing}. */
    public record Ask(Followed rank, ActorRef<Reply> replyTo) implements Command {}

    /** One chunk, please. The last one ends the transfer. */
    public record Pull(long transfer, int chunk, ActorRef<Reply> replyTo) implements Command {}

    private record Exported(Ask ask, RankSnapshot snapshot) implements Command {}

    private record Unread(long transfer) implements Command {}

    /** What the asking node hears. */
    public sealed interface Reply {}

    /** A snapshot is there, of so many chunks. */
    public record Offer(Followed rank, RankSnapshot.Place place, int chunks, long transfer, ActorRef<Command> peer)
            implements Reply {}

    /** This node does not know all of the rank, or has no time. */
    public record Nothing(Followed rank) implements Reply {}

    /** A part of a snapshot. */
    public record Chunk(long transfer, int number, CacheChunk blocks) implements Reply {}

    private final KvIndexes indexes;
    private final TimerScheduler<Command> timers;
    private final Map<Long, RankSnapshot> transfers = new HashMap<>();
    private long started;

    private SnapshotPeer(ActorContext<Command> context, TimerScheduler<Command> timers, KvIndexes indexes) {
        super(context);
        this.timers = timers;
        this.indexes = indexes;
    }

    /** Creates the actor. */
    public static Behavior<Command> create(KvIndexes indexes) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> new SnapshotPeer(context, timers, indexes)));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Ask ask -> onAsk(ask);
            case Exported exported -> onExported(exported);
            case Pull pull -> onPull(pull);
            case Unread unread -> transfers.remove(unread.transfer());
        }
        return this;
    }

    private void onAsk(Ask ask) {
        var self = getContext().getSelf();
        boolean asked = transfers.size() < MOST_TRANSFERS
                && indexes.act(ask.rank(), stream -> {
                    if (stream.state() == StreamState.LIVE) {
                        self.tell(new Exported(ask, stream.export()));
                    } else {
                        ask.replyTo().tell(new Nothing(ask.rank()));
                    }
                });
        if (!asked) {
            ask.replyTo().tell(new Nothing(ask.rank()));
        }
    }

    private void onExported(Exported exported) {
        long transfer = ++started;
        transfers.put(transfer, exported.snapshot());
        timers.startSingleTimer(transfer, new Unread(transfer), UNREAD);
        var ask = exported.ask();
        ask.replyTo()
                .tell(new Offer(
                        ask.rank(),
                        exported.snapshot().place(),
                        exported.snapshot().chunks().size(),
                        transfer,
                        getContext().getSelf()));
    }

    private void onPull(Pull pull) {
        var snapshot = transfers.get(pull.transfer());
        if (snapshot == null || pull.chunk() >= snapshot.chunks().size()) {
            return; // the asking node waits no longer than it wants
        }
        pull.replyTo()
                .tell(new Chunk(pull.transfer(), pull.chunk(), snapshot.chunks().get(pull.chunk())));
        if (pull.chunk() == snapshot.chunks().size() - 1) {
            transfers.remove(pull.transfer());
            timers.cancel(pull.transfer());
        } else {
            timers.startSingleTimer(pull.transfer(), new Unread(pull.transfer()), UNREAD);
        }
    }
}
