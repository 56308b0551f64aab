package io.kvrouter.http.engine;

import io.kvrouter.failover.Breaker;
import io.kvrouter.failover.Outcome;
import io.kvrouter.http.engine.EngineProbe.Answer;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.HealthTrack;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Makes this node's {@link Fleet} out of the register and its own health checks. A worker is checked for ever, however
 * long it is down. Each change is published as a new snapshot.
 */
public final class FleetWatch extends AbstractMatchingBehavior<FleetWatch.Command> {
    /** What the watch is told. */
    public sealed interface Command {}

    /** The registered workers, all of them. */
    public record Registered(Collection<Registration> workers) implements Command {}

    /** A request found nobody at a worker's port: it is not chosen again before a check succeeds. */
    public record Suspect(WorkerId worker) implements Command {}

    /** Too many of a worker's calls failed: its breaker opens, if at least half of each model's workers stay. */
    public record Tripped(WorkerId worker) implements Command {}

    /** What became of a request that was sent to a worker on trial. */
    public record Tried(WorkerId worker, Outcome outcome) implements Command {}

    /** A worker asked to be left alone for so long. */
    public record Rest(WorkerId worker, Duration time) implements Command {}

    private record Rested(WorkerId worker) implements Command {}

    /** A worker's breaker has stayed as it is for its time. */
    private record Due(WorkerId worker) implements Command {}

    /** What changed until now is told at once. */
    private record Publish() implements Command {}

    private record Check(WorkerId worker) implements Command {}

    private record Checked(Registration worker, Answer answer, EngineFacts facts) implements Command {}

    private final EngineProbe probe;
    private final HealthSettings settings;
    private final Consumer<Fleet> listener;
    private final TimerScheduler<Command> timers;
    private final Map<WorkerId, WatchedWorker> watched = new TreeMap<>();
    private boolean toPublish;

    private FleetWatch(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            EngineProbe probe,
            HealthSettings settings,
            Consumer<Fleet> listener) {
        super(context);
        this.timers = timers;
        this.probe = probe;
        this.settings = settings;
        this.listener = listener;
    }

    /** Creates the watch; {@code listener} gets each new fleet, one call at a time. */
    public static Behavior<Command> create(EngineProbe probe, HealthSettings settings, Consumer<Fleet> listener) {
        return Behaviors.setup(context -> {
            context.setLoggerName(FleetWatch.class);
            return Behaviors.withTimers(timers -> new FleetWatch(context, timers, probe, settings, listener));
        });
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Registered registered -> onRegistered(registered.workers());
            case Suspect suspect ->
                update(suspect.worker(), w -> w.with(refused(w.track(), "a request found nobody there")));
            case Tripped tripped -> onTripped(tripped.worker());
            case Tried tried -> update(tried.worker(), w -> w.with(w.breaker().tried(tried.outcome())));
            case Due due -> update(due.worker(), w -> w.with(w.breaker().due()));
            case Rest rest -> onRest(rest);
            case Rested rested -> update(rested.worker(), w -> w.rest(false));
            case Check check -> onCheck(check.worker());
            case Checked checked -> onChecked(checked);
            case Publish publish -> publish();
        }
        return this;
    }

    private void onRegistered(Collection<Registration> workers) {
        var ids = workers.stream().map(Registration::id).collect(Collectors.toSet());
        watched.keySet().stream().filter(id -> !ids.contains(id)).forEach(id -> {
            timers.cancel(id);
            timers.cancel(new Due(id));
            timers.cancel(new Rested(id));
            getContext().getLog().info("worker {} is not registered any more", id);
        });
        watched.keySet().retainAll(ids);
        for (Registration registration : workers) {
            var known = watched.get(registration.id());
            watched.put(registration.id(), known == null ? WatchedWorker.of(registration) : known.with(registration));
            if (known == null || !known.registration().url().equals(registration.url())) {
                getContext().getSelf().tell(new Check(registration.id()));
            }
        }
        publishSoon();
    }

    private void onCheck(WorkerId id) {
        var worker = watched.get(id);
        if (worker != null) {
            getContext()
                    .pipeToSelf(
                            check(worker),
                            (checked, failure) -> checked != null
                                    ? checked
                                    : new Checked(
                                            worker.registration(),
                                            Answer.failed("the check broke"),
                                            EngineFacts.UNKNOWN));
        }
    }

    private CompletionStage<Checked> check(WatchedWorker worker) {
        var url = worker.registration().url();
        return probe.health(url).thenCompose(answer -> {
            CompletionStage<EngineFacts> facts = answer.healthy() && worker.wantsFacts()
                    ? probe.facts(url)
                    : CompletableFuture.completedStage(EngineFacts.UNKNOWN);
            return facts.thenApply(found -> new Checked(worker.registration(), answer, found));
        });
    }

    /** A check of a URL that the worker had before says nothing of the one that it has now. */
    private void onChecked(Checked checked) {
        WorkerId id = checked.worker().id();
        var known = watched.get(id);
        if (known == null || !known.registration().url().equals(checked.worker().url())) {
            return;
        }
        update(
                id,
                worker -> worker.with(after(checked.answer(), worker.track())).with(checked.facts()));
        timers.startSingleTimer(id, new Check(id), untilNext(known));
    }

    /** A fleet that was registered at once is not checked at once for ever. */
    private Duration untilNext(WatchedWorker checked) {
        long interval = settings.interval().toNanos();
        return checked.neverChecked()
                ? Duration.ofNanos(ThreadLocalRandom.current().nextLong(interval))
                : settings.interval();
    }

    private HealthTrack after(Answer answer, HealthTrack track) {
        return switch (answer.kind()) {
            case HEALTHY -> track.afterSuccess();
            case FAILED -> track.afterFailure(settings.downAfter(), answer.why());
            case REFUSED -> refused(track, answer.why());
        };
    }

    private HealthTrack refused(HealthTrack track, String why) {
        return track.afterRefusal(settings.downAfter(), why);
    }

    private void onTripped(WorkerId id) {
        var tripped = watched.get(id);
        if (tripped != null && tripped.lives() && tripped.models().stream().allMatch(m -> spares(tripped, m))) {
            update(id, w -> w.with(w.breaker().tripped()));
        }
    }

    /**
     * Whether a model can do without one more worker. A fault that all of them show is the requests' or the network's: with
     * fewer of them nothing gets better.
     */
    private boolean spares(WatchedWorker tripped, String model) {
        var others = watched.values().stream()
                .filter(w ->
                        w.registration().group().equals(tripped.registration().group()))
                .filter(w -> w.lives() && w.models().contains(model))
                .toList();
        long broken = others.stream().filter(WatchedWorker::broken).count();
        return 2 * (broken + 1) <= others.size();
    }

    private void onRest(Rest rest) {
        update(rest.worker(), w -> w.rest(true));
        var over = new Rested(rest.worker());
        timers.startSingleTimer(over, over, rest.time());
    }

    private void update(WorkerId id, UnaryOperator<WatchedWorker> change) {
        var before = watched.get(id);
        if (before == null) {
            return;
        }
        var after = change.apply(before);
        watched.put(id, after);
        if (!after.breaker().equals(before.breaker())) {
            startTimer(id, after.breaker());
        }
        if (!after.asWorker().equals(before.asWorker())) {
            logChange(before, after);
            publishSoon();
        }
    }

    private void startTimer(WorkerId id, Breaker breaker) {
        var due = new Due(id);
        timers.cancel(due);
        breaker.wait(settings.breaker()).ifPresent(wait -> timers.startSingleTimer(due, due, wait));
    }

    private void logChange(WatchedWorker before, WatchedWorker after) {
        var registration = after.registration();
        var health = after.asWorker().health();
        var trouble = after.track().trouble();
        boolean inTrouble = trouble.isPresent() && before.track().trouble().isEmpty();
        if (health == before.asWorker().health() && !inTrouble) {
            return;
        }
        String state = health.name().toLowerCase(Locale.ROOT)
                + trouble.map(why -> ": " + why).orElse("");
        if (inTrouble || health == Worker.Health.BROKEN) {
            getContext().getLog().warn("worker {} at {} is {}", registration.id(), registration.url(), state);
        } else {
            getContext().getLog().info("worker {} at {} is {}", registration.id(), registration.url(), state);
        }
    }

    /** Behind what waits already: a thousand workers that answer their first check are a few fleets, not a thousand. */
    private void publishSoon() {
        if (!toPublish) {
            toPublish = true;
            getContext().getSelf().tell(new Publish());
        }
    }

    private void publish() {
        toPublish = false;
        listener.accept(
                new Fleet(watched.values().stream().map(WatchedWorker::asWorker).toList()));
    }
}
