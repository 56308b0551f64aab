package io.kvrouter.http.engine;

import io.kvrouter.http.engine.EngineProbe.Answer;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.HealthTrack;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
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

    private record Check(WorkerId worker) implements Command {}

    private record Checked(Registration worker, Answer answer, EngineFacts facts) implements Command {}

    private final EngineProbe probe;
    private final HealthSettings settings;
    private final Consumer<Fleet> listener;
    private final TimerScheduler<Command> timers;
    private final Map<WorkerId, WatchedWorker> watched = new TreeMap<>();

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
        return Behaviors.setup(
                context -> Behaviors.withTimers(timers -> new FleetWatch(context, timers, probe, settings, listener)));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Registered registered -> onRegistered(registered.workers());
            case Suspect suspect ->
                update(suspect.worker(), w -> w.with(w.track().afterRefusal()));
            case Check check -> onCheck(check.worker());
            case Checked checked -> onChecked(checked);
        }
        return this;
    }

    private void onRegistered(Collection<Registration> workers) {
        var ids = workers.stream().map(Registration::id).toList();
        watched.keySet().stream().filter(id -> !ids.contains(id)).forEach(id -> {
            timers.cancel(id);
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
        publish();
    }

    private void onCheck(WorkerId id) {
        var worker = watched.get(id);
        if (worker != null) {
            getContext()
                    .pipeToSelf(
                            check(worker),
                            (checked, failure) -> checked != null
                                    ? checked
                                    : new Checked(worker.registration(), Answer.FAILED, EngineFacts.UNKNOWN));
        }
    }

    private CompletionStage<Checked> check(WatchedWorker worker) {
        var url = worker.registration().url();
        return probe.health(url).thenCompose(answer -> {
            CompletionStage<EngineFacts> facts = answer == Answer.HEALTHY && worker.wantsFacts()
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
        timers.startSingleTimer(id, new Check(id), settings.interval());
    }

    private HealthTrack after(Answer answer, HealthTrack track) {
        return switch (answer) {
            case HEALTHY -> track.afterSuccess();
            case FAILED -> track.afterFailure(settings.downAfter());
            case REFUSED -> track.afterRefusal();
        };
    }

    private void update(WorkerId id, UnaryOperator<WatchedWorker> change) {
        var before = watched.get(id);
        if (before == null) {
            return;
        }
        var after = change.apply(before);
        watched.put(id, after);
        if (!after.asWorker().equals(before.asWorker())) {
            if (after.track().health() != before.track().health()) {
                logHealth(after);
            }
            publish();
        }
    }

    private void logHealth(WatchedWorker worker) {
        var registration = worker.registration();
        if (worker.track().health() == Worker.Health.DOWN) {
            getContext().getLog().warn("worker {} at {} is down", registration.id(), registration.url());
        } else {
            getContext().getLog().info("worker {} at {} is up", registration.id(), registration.url());
        }
    }

    private void publish() {
        listener.accept(
                new Fleet(watched.values().stream().map(WatchedWorker::asWorker).toList()));
    }
}
