package io.kvrouter.cluster.load;

import io.kvrouter.booking.BookingDesk;
import io.kvrouter.booking.Explanation;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.Workload;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.LoadSlice;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Fleet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;

/**
 * The one local actor that owns this node's bookings. {@link BookingDesk} thinks, {@link LoadReplication} tells the other
 * nodes and hears of them; this actor puts what happens in an order.
 */
final class LoadActor extends AbstractMatchingBehavior<LoadActor.Command> {
    /** A message to the actor. All stay inside the process. */
    sealed interface Command {}

    record Select(SelectionRequest request, ReservationId id, CompletableFuture<SelectionAnswer> answer)
            implements Command {}

    record Reserve(Pin pin, Workload workload, ReservationId id, CompletableFuture<SelectionAnswer> answer)
            implements Command {}

    record Explain(SelectionRequest request, CompletableFuture<Explanation> answer) implements Command {}

    record Estimate(ReservationId id, Workload.Estimated workload) implements Command {}

    record Correct(ReservationId id, Prompt prompt, long contextTokens, CompletableFuture<OptionalLong> answer)
            implements Command {}

    record PrefillComplete(ReservationId id) implements Command {}

    record End(ReservationId id) implements Command {}

    record NewFleet(Fleet fleet) implements Command {}

    /** Time to tell the rows that changed. */
    private enum Flush implements Command {
        DUE
    }

    /** Time to write the whole slice, changed or not. */
    private enum Rewrite implements Command {
        DUE
    }

    /** A replicated value as it is now. */
    record SlicesSeen(LoadKey key, LoadData data) implements Command {}

    record MemberSeen(ClusterEvent.MemberEvent event) implements Command {}

    /** An update was acknowledged by every node, or not in time. */
    record Written(boolean inTime, long nanos) implements Command {}

    /** The replicator, what is known of the caches, where the load is published, and the time. */
    record World(
            ActorRef<Replicator.Command> replicator,
            Supplier<CacheView> caches,
            Consumer<PublishedLoad> published,
            InstantSource time) {}

    private final BookingDesk desk;
    private final LoadReplication replication;
    private final TimerScheduler<Command> timers;
    private final InstantSource time;
    private final long flushMs;
    private final Consumer<PublishedLoad> published;
    private Fleet fleet = Fleet.EMPTY;
    private long lastFlush;

    private LoadActor(ActorContext<Command> context, TimerScheduler<Command> timers, Parts parts) {
        super(context);
        this.timers = timers;
        this.desk = parts.desk;
        this.replication = parts.replication;
        this.time = parts.world.time;
        this.published = parts.world.published;
        this.flushMs = parts.settings.flushInterval().toMillis();
        timers.startTimerWithFixedDelay(Rewrite.DUE, Duration.ZERO, parts.settings.rewriteInterval());
    }

    private record Parts(LoadSettings settings, BookingDesk desk, LoadReplication replication, World world) {}

    static Behavior<Command> create(LoadSettings settings, RandomGenerator random, World world) {
        Behavior<Command> actor = Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            var desk = new BookingDesk(settings.booking(), world.caches, random);
            var replication = new LoadReplication(context, world.replicator, settings.writeTimeout());
            return new LoadActor(context, timers, new Parts(settings, desk, replication, world));
        }));
        // A bug in one message must not cost the node its ledger.
        return Behaviors.supervise(actor).onFailure(SupervisorStrategy.resume());
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Select(var request, var id, var answer) -> answer(id, answer, () -> desk.select(request, id, now()));
            case Reserve(var pin, var workload, var id, var answer) ->
                answer(id, answer, () -> desk.reserve(pin, workload, id, now()));
            case Explain(var request, var answer) -> complete(answer, () -> desk.explain(request, now()));
            case Estimate(var id, var workload) -> desk.estimate(id, workload, now());
            case Correct(var id, var prompt, var context, var answer) ->
                complete(answer, () -> desk.correct(id, prompt, context, now()));
            case PrefillComplete(var id) -> desk.prefillComplete(id, now());
            case End(var id) -> desk.end(id, now());
            case NewFleet(var workers) -> onFleet(workers);
            case Flush due -> flush();
            case Rewrite due -> rewrite();
            case SlicesSeen(var key, var data) -> onPeers(() -> replication.learn(key, data, now()));
            case MemberSeen(var event) -> onPeers(() -> replication.learn(event));
            case Written written -> replication.count(written);
        }
        flushInTime();
        return this;
    }

    /** Who no longer waits for the answer gets no booking. */
    private void answer(
            ReservationId id, CompletableFuture<SelectionAnswer> answer, Supplier<SelectionAnswer> decision) {
        if (!complete(answer, decision)) {
            desk.end(id, now());
        }
    }

    private static <T> boolean complete(CompletableFuture<T> answer, Supplier<T> decision) {
        try {
            return !answer.isDone() && answer.complete(decision.get());
        } catch (RuntimeException e) {
            answer.completeExceptionally(e); // whoever waits must not wait for ever
            return false;
        }
    }

    private void onFleet(Fleet workers) {
        fleet = workers;
        desk.fleet(workers);
        publish();
    }

    private void onPeers(Runnable learn) {
        learn.run();
        desk.peers(replication.peerSlices());
        publish();
    }

    /** At once after a pause, else when the interval since the last flush is over. */
    private void flushInTime() {
        if (!desk.writer().hasChanges() || timers.isTimerActive(Flush.DUE)) {
            return;
        }
        long wait = lastFlush + flushMs - now();
        if (wait <= 0) {
            flush();
        } else {
            timers.startSingleTimer(Flush.DUE, Duration.ofMillis(Math.min(wait, flushMs)));
        }
    }

    private void flush() {
        if (desk.writer().hasChanges()) {
            write(desk.writer().changes(now()));
        }
    }

    private void rewrite() {
        desk.sweep(now());
        write(desk.writer().whole(now()));
    }

    private void write(LoadSlice update) {
        lastFlush = now();
        replication.write(update);
        publish();
    }

    private void publish() {
        published.accept(replication.published(fleet, desk.writer().current()));
    }

    private long now() {
        return time.millis();
    }
}
