package io.kvrouter.http.node;

import io.kvrouter.cluster.time.MonotonicClock;
import io.kvrouter.failover.Outcome;
import io.kvrouter.http.engine.FleetWatch;
import io.kvrouter.http.failover.Outcomes;
import io.kvrouter.http.failover.Retries;
import io.kvrouter.http.metrics.NodeMetrics;
import io.kvrouter.http.settings.NodeSettings;
import io.kvrouter.http.turn.TurnPorts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;

/** A node's workers as its turns see them, and what turns tell of them to the watch that keeps their breakers. */
final class NodeFailover implements TurnPorts.Workers, Outcomes.Breakers {
    private final Supplier<Fleet> fleet;
    private final ActorRef<FleetWatch.Command> watch;
    private final Outcomes outcomes;
    private final Retries retries;

    NodeFailover(
            NodeSettings settings, MonotonicClock clock, Supplier<Fleet> fleet, ActorRef<FleetWatch.Command> watch) {
        this.fleet = fleet;
        this.watch = watch;
        this.outcomes = new Outcomes(settings.health().breaker(), clock, this);
        this.retries = new Retries(settings.routing().retries(), clock);
    }

    @Override
    public Fleet get() {
        return fleet.get();
    }

    @Override
    public void suspect(WorkerId worker) {
        watch.tell(new FleetWatch.Suspect(worker));
    }

    @Override
    public void report(WorkerId worker, Outcome outcome, long sent) {
        fleet.get().worker(worker).ifPresent(known -> outcomes.report(known, outcome, sent));
    }

    @Override
    public void rest(WorkerId worker, Duration time) {
        watch.tell(new FleetWatch.Rest(worker, time));
    }

    @Override
    public void tripped(WorkerId worker) {
        watch.tell(new FleetWatch.Tripped(worker));
    }

    @Override
    public void tried(WorkerId worker, Outcome outcome) {
        watch.tell(new FleetWatch.Tried(worker, outcome));
    }

    /** From now on these workers. */
    void see(Fleet changed) {
        outcomes.fleet(changed);
    }

    Retries retries() {
        return retries;
    }

    void measure(NodeMetrics metrics) {
        metrics.failover(retries, outcomes);
    }
}
