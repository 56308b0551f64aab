package io.kvrouter.http.failover;

import io.kvrouter.failover.BreakerSettings;
import io.kvrouter.failover.FailureRate;
import io.kvrouter.failover.Outcome;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What calls say of their workers. Counts them here, so that a request costs no message; only what may change a breaker is
 * told to who keeps it. Safe for use by several threads.
 */
public final class Outcomes {
    private static final int OVERLOADED = 529;
    private static final Set<Integer> PUSH_BACK = Set.of(429, 502, 503);
    private static final int FIRST_CLIENT_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    private final BreakerSettings settings;
    private final InstantSource clock;
    private final Breakers breakers;
    private final Map<WorkerId, FailureRate> rates = new ConcurrentHashMap<>();
    private final Map<WorkerId, Long> trials = new ConcurrentHashMap<>();
    private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);

    /** Who keeps the breakers. */
    public interface Breakers {
        /** Too many of a worker's calls failed. */
        void tripped(WorkerId worker);

        /** What became of a request to a worker on trial. */
        void tried(WorkerId worker, Outcome outcome);
    }

    public Outcomes(BreakerSettings settings, InstantSource clock, Breakers breakers) {
        this.settings = settings;
        this.clock = clock;
        this.breakers = breakers;
        for (Outcome outcome : Outcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    /** Whether a worker that answers so asks for less, and another one may take the request. */
    public static boolean pushesBack(int status) {
        return PUSH_BACK.contains(status);
    }

    /** What the status of an answer says of the worker. */
    public static Outcome of(int status) {
        if (status < FIRST_CLIENT_ERROR) {
            return Outcome.ANSWERED;
        }
        return status < FIRST_SERVER_ERROR || pushesBack(status) || status == OVERLOADED
                ? Outcome.NEUTRAL
                : Outcome.FAILED;
    }

    /**
     * What a call that has failed says of the worker. One that can't be reached is not broken but down, which its health
     * check finds out.
     *
     * @param begun it had begun to answer
     */
    public static Outcome of(UpstreamFailure failure, boolean begun) {
        return switch (failure) {
            case RESET_BEFORE_HEAD, FIRST_BYTE_TIMEOUT, BAD_RESPONSE, TRUNCATED, IDLE_TIMEOUT ->
                begun ? Outcome.BROKE_OFF : Outcome.FAILED;
            case CONNECT_REFUSED, CONNECT_FAILED, TOTAL_TIMEOUT, ABORTED -> Outcome.NEUTRAL;
        };
    }

    /**
     * A call has come so far. Of a trial only what was sent since it began says anything: what was sent before has met the
     * worker as it was when its breaker opened, or hung there since.
     *
     * @param sent when it was, by {@link System#nanoTime()}
     */
    public void report(Worker worker, Outcome outcome, long sent) {
        if (outcome == Outcome.NEUTRAL) {
            return;
        }
        counter(outcome).increment();
        if (worker.health() == Worker.Health.TRIAL) {
            if (sent - trials.getOrDefault(worker.id(), sent) >= 0) {
                breakers.tried(worker.id(), outcome);
            }
        } else if (worker.health() == Worker.Health.UP && trips(worker.id(), outcome)) {
            breakers.tripped(worker.id());
        }
    }

    private LongAdder counter(Outcome outcome) {
        return Objects.requireNonNull(counts.get(outcome), "outcome");
    }

    /** Calls of this outcome so far. */
    public long count(Outcome outcome) {
        return counter(outcome).sum();
    }

    private boolean trips(WorkerId worker, Outcome outcome) {
        FailureRate rate = rates.computeIfAbsent(worker, id -> new FailureRate(settings));
        synchronized (rate) {
            return rate.trips(outcome, clock.millis());
        }
    }

    /** From now on these workers. What those did before that are not there, or down, is forgotten; trials begin now. */
    public void fleet(Fleet fleet) {
        long now = System.nanoTime();
        rates.keySet().removeIf(id -> !has(fleet, id, Worker.Health.UP));
        trials.keySet().removeIf(id -> !has(fleet, id, Worker.Health.TRIAL));
        fleet.workers().stream()
                .filter(worker -> worker.health() == Worker.Health.TRIAL)
                .forEach(worker -> trials.putIfAbsent(worker.id(), now));
    }

    private static boolean has(Fleet fleet, WorkerId id, Worker.Health health) {
        return fleet.worker(id).filter(worker -> worker.health() == health).isPresent();
    }
}
