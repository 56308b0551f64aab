package io.kvrouter.failover;

import java.time.Duration;
import java.util.Optional;

/**
 * A worker's circuit breaker as one node sees it, and its slow start: both say how many requests the worker may have.
 * None while it is open; then one on trial, of which the outcome decides; then twice as many in each step until it is one
 * among others. Whoever keeps it calls {@link #due} when {@link #wait} is over.
 *
 * @param trips how often it opened, without a quiet time between
 * @param allowance requests that the node may have there at once, of those that may go elsewhere
 */
public record Breaker(State state, int trips, int allowance) {
    /** No bound. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    /** Of a worker that nothing is known against. */
    public static final Breaker CLOSED = new Breaker(State.CLOSED, 0, UNBOUNDED);

    private static final int STEPS = 6;
    private static final int LAST_STEP = 1 << (STEPS - 1);
    private static final int LARGEST_SHIFT = 20;

    /** Where it stands. */
    public enum State {
        /** The worker gets requests like any other. */
        CLOSED,
        /** The worker gets none. */
        OPEN,
        /** One request may try. */
        TRIAL,
        /** The worker is back, and gets more by and by. */
        STARTING
    }

    /** Too many calls have failed. */
    public Breaker tripped() {
        return state == State.CLOSED || state == State.STARTING ? opened() : this;
    }

    private Breaker opened() {
        return new Breaker(State.OPEN, trips + 1, 0);
    }

    /** What became of a request that was sent since the trial began. */
    public Breaker tried(Outcome outcome) {
        if (state != State.TRIAL) {
            return this;
        }
        return switch (outcome) {
            case ANSWERED -> new Breaker(State.STARTING, trips, 2);
            case FAILED, BROKE_OFF -> opened();
            case NEUTRAL -> this;
        };
    }

    /** The worker was gone, and is back: its caches are empty, and its engine may have to warm up. */
    public static Breaker returned() {
        return new Breaker(State.STARTING, 0, 1);
    }

    /** Its time is over. */
    public Breaker due() {
        return switch (state) {
            case OPEN -> new Breaker(State.TRIAL, trips, 1);
            case STARTING ->
                allowance < LAST_STEP
                        ? new Breaker(State.STARTING, trips, allowance * 2)
                        : new Breaker(State.CLOSED, trips, UNBOUNDED);
            case CLOSED -> CLOSED;
            case TRIAL -> this;
        };
    }

    /** How long it stays as it is, if nothing happens; empty: for ever. */
    public Optional<Duration> wait(BreakerSettings settings) {
        return switch (state) {
            case OPEN -> Optional.of(openFor(settings));
            case STARTING -> Optional.of(settings.slowStart().dividedBy(STEPS));
            case CLOSED -> trips == 0 ? Optional.empty() : Optional.of(settings.longest());
            case TRIAL -> Optional.empty();
        };
    }

    private Duration openFor(BreakerSettings settings) {
        var doubled = settings.open().multipliedBy(1L << Math.min(trips - 1, LARGEST_SHIFT));
        return doubled.compareTo(settings.longest()) < 0 ? doubled : settings.longest();
    }
}
