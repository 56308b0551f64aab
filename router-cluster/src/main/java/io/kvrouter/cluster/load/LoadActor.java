package io.kvrouter.cluster.load;

import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
import io.kvrouter.booking.AdmittedDesk;
import io.kvrouter.booking.BookingDesk;
import io.kvrouter.booking.Explanation;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.Workload;
import io.kvrouter.cluster.load.wire.LoadData;
import io.kvrouter.cluster.load.wire.LoadKey;
import io.kvrouter.cluster.load.wire.PeerMessage;
import io.kvrouter.cluster.permit.PermitLink;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.permit.PermitGrants;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Fleet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.ClusterEvent;

/**
 * The one local actor that owns this node's bookings. {@link BookingDesk} thinks, {@link LoadReplication} tells the other
 * nodes and hears of them; this actor puts what happens in an order.
 */
final class LoadActor extends AbstractMatchingBehavior<LoadActor.Command> {
    /** A message to the actor. All stay inside the process. */
    sealed interface Command {}

    record Enter(Ticket ticket, CompletableFuture<Optional<Shed>> entered) implements Command {}

    record Leave(Ticket ticket) implements Command {}

    record Select(SelectionRequest request, ReservationId id, Ticket ticket, ActorLoadDesk.PendingBooking answer)
            implements Command {}

    record Reserve(Pin pin, Workload workload, ReservationId id, Ticket ticket, ActorLoadDesk.PendingBooking answer)
            implements Command {}

    record Explain(SelectionRequest request, CompletableFuture<Explanation> answer) implements Command {}

    record Estimate(ReservationId id, Workload.Estimated workload) implements Command {}

    record Correct(ReservationId id, Prompt prompt, long contextTokens, CompletableFuture<OptionalLong> answer)
            implements Command {}

    record PrefillComplete(ReservationId id) implements Command {}

    record Output(ReservationId id, long tokens) implements Command {}

    record End(ReservationId id) implements Command {}

    record NewFleet(Fleet fleet) implements Command {}

    /** Time to tell the rows that changed. */
    private enum Flush implements Command {
        DUE
    }

    /** Time to send away who has waited long enough, and to show who waits. */
    private enum Look implements Command {
        DUE
    }

    /** Time to write the whole slice, changed or not. */
    private enum Rewrite implements Command {
        DUE
    }

    /** A replicated value as it is now. */
    record SlicesSeen(LoadKey key, LoadData data) implements Command {}

    /** Another node's load actor has told something. */
    record FromPeer(PeerMessage message) implements Command {}

    /** What the office of the workers' permits says. */
    record Granted(PermitGrants grants) implements Command {}

    record MemberSeen(ClusterEvent.MemberEvent event) implements Command {}

    /** A node can be reached again, which has missed what was told meanwhile. */
    enum PeerIsBack implements Command {
        INSTANCE
    }

    /** A whole slice was acknowledged by every node, or not in time. */
    record Written(boolean inTime) implements Command {}

    /** What is known of caches and sessions, where the actor shows what it knows, the time, and chance. */
    record World(
            Supplier<CacheView> caches,
            Footprint footprint,
            ActorLoadDesk.Shown shown,
            InstantSource time,
            RandomGenerator random) {}

    /** The name of the child that other nodes' load actors write to. */
    private static final String DOOR = "peers";

    private static final Duration LOOK = Duration.ofMillis(50);

    private final BookingDesk desk;
    private final AdmittedDesk admitted;
    private final LoadReplication replication;
    private final FlushSchedule schedule;
    private final World world;
    private final PermitLink permits;
    private Fleet fleet = Fleet.EMPTY;
    private long lastFlush;
    private boolean flushing;
    private long oldestChange;

    private LoadActor(ActorContext<Command> context, TimerScheduler<Command> timers, Parts parts) {
        super(context);
        this.desk = parts.desk;
        this.replication = parts.replication;
        this.world = parts.world;
        this.admitted = new AdmittedDesk(parts.settings.booking(), desk, replication.self(), world.time::millis);
        this.schedule = new FlushSchedule(parts.settings.flushInterval());
        timers.startTimerWithFixedDelay(Rewrite.DUE, Duration.ZERO, parts.settings.rewriteInterval());
        if (!parts.settings.booking().admission().off()) {
            timers.startTimerWithFixedDelay(Look.DUE, LOOK);
        }
        this.permits = PermitLink.start(context, parts.settings.downedPermitsRest(), Granted::new);
    }

    private record Parts(LoadSettings settings, BookingDesk desk, LoadReplication replication, World world) {}

    /**
     * The actor.
     *
     * @param links the ways to the others, given the actor that the others write to
     */
    static Behavior<Command> create(
            LoadSettings settings,
            World world,
            BiFunction<ActorContext<Command>, ActorRef<PeerMessage>, PeerLink.Ways> links) {
        Behavior<Command> actor = Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            var desk = new BookingDesk(settings.booking(), world.caches, world.random);
            PeerLink.Ways ways = links.apply(
                    context, context.spawn(door(context.getSelf()), DOOR, DispatcherSelector.sameAsParent()));
            var replication = new LoadReplication(context, ways, desk, settings.writeTimeout());
            return new LoadActor(context, timers, new Parts(settings, desk, replication, world));
        }));
        // A bug in one message must not cost the node its ledger.
        return Behaviors.supervise(actor).onFailure(SupervisorStrategy.resume());
    }

    private static Behavior<PeerMessage> door(ActorRef<Command> actor) {
        return Behaviors.receiveMessage(message -> {
            actor.tell(new FromPeer(message));
            return Behaviors.same();
        });
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        admitted.awake();
        switch (command) {
            case Enter(var ticket, var entered) -> admitted.enter(ticket, entered::complete);
            case Leave(var ticket) -> admitted.leave(ticket);
            case Select(var request, var id, var ticket, var answer) -> admitted.select(request, id, ticket, answer);
            case Reserve(var pin, var workload, var id, var ticket, var answer) ->
                admitted.reserve(pin, workload, id, ticket, answer);
            case Explain(var request, var answer) -> complete(answer, () -> desk.explain(request, now()));
            case Estimate(var id, var workload) -> desk.estimate(id, workload, now());
            case Correct(var id, var prompt, var context, var answer) ->
                complete(answer, () -> desk.correct(id, prompt, context, now()));
            case PrefillComplete(var id) -> desk.prefillComplete(id, now());
            case Output(var id, var tokens) -> desk.output(id, tokens, now());
            case End(var id) -> admitted.end(id);
            case NewFleet(var workers) -> onFleet(workers);
            case Flush due -> onFlushDue();
            case Rewrite due -> rewrite();
            case Look due -> look();
            case SlicesSeen(var key, var data) -> onPeers(() -> replication.learn(key, data, now()));
            case FromPeer(var message) -> onPeers(() -> replication.learn(message, now()));
            case Granted(var grants) -> onGranted(grants);
            case MemberSeen(var event) -> onPeers(() -> learn(event));
            case PeerIsBack back -> rewrite();
            case Written written -> replication.count(written);
        }
        permits.tell(admitted, now());
        flushInTime();
        return this;
    }

    private static <T> void complete(CompletableFuture<T> answer, Supplier<T> decision) {
        try {
            answer.complete(decision.get());
        } catch (RuntimeException e) {
            answer.completeExceptionally(e); // whoever waits must not wait for ever
        }
    }

    private void onGranted(PermitGrants grants) {
        world.shown.admitting().complete(Done.getInstance());
        admitted.told(grants);
    }

    private void look() {
        admitted.expire();
        world.shown.admission().set(admitted.view());
    }

    private void onFleet(Fleet workers) {
        fleet = workers;
        admitted.fleet(workers);
        publish();
    }

    private void onPeers(Runnable learn) {
        learn.run();
        publish();
    }

    private void learn(ClusterEvent.MemberEvent event) {
        permits.learn(event, admitted);
        replication.learn(event);
    }

    /** At once after a pause, else when the interval since the last flush is over. */
    private void flushInTime() {
        if (!hasChanges() || flushing) {
            return;
        }
        long interval = schedule.intervalMs(replication.nodes());
        long wait = lastFlush + interval - now();
        if (wait <= 0) {
            flush();
        } else {
            flushIn(Math.min(wait, interval));
        }
    }

    /** By the JDK's timer, to the millisecond: the library's ticks of 10 ms, rounded up twice, made 20 ms 30. */
    private void flushIn(long ms) {
        flushing = true;
        ActorRef<Command> self = getContext().getSelf();
        CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(() -> self.tell(Flush.DUE));
    }

    private void onFlushDue() {
        flushing = false;
        flush();
    }

    /** Whether there is something to tell; remembers since when. */
    private boolean hasChanges() {
        boolean any = desk.writer().hasChanges();
        if (any && oldestChange == 0) {
            oldestChange = System.nanoTime();
        }
        return any;
    }

    private void flush() {
        if (hasChanges()) {
            replication.write(desk.writer().changes(now()), oldestChange);
            lastFlush = now();
            oldestChange = 0;
            publish();
        }
    }

    private void rewrite() {
        desk.sweep(now());
        desk.footprint(world.footprint.footprint());
        flush(); // what is new takes the short way
        replication.writeWhole(desk.writer().whole(now()));
        publish();
    }

    private void publish() {
        world.shown.load().set(replication.published(fleet, desk.writer().current()));
    }

    private long now() {
        return world.time.millis();
    }
}
