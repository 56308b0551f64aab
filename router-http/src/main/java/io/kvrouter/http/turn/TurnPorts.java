package io.kvrouter.http.turn;

import io.kvrouter.admission.Shed;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.failover.Outcome;
import io.kvrouter.http.failover.Retries;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.Usage;
import io.kvrouter.http.upstream.Upstream;
import io.kvrouter.selection.Refusal;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What turns need of the node.
 *
 * @param loop the event loop that a turn stays on, from whichever thread the word comes that it may go on
 * @param meter is told how long decisions took, and how right the predictions were
 * @param limits settings
 */
public record TurnPorts(
        LoadDesk desk,
        Sessions sessions,
        Upstream upstream,
        Workers fleet,
        Supplier<Executor> loop,
        TurnMeter meter,
        Limits limits) {

    /** The same ports, for a turn that tells another meter. */
    public TurnPorts metered(TurnMeter other) {
        return new TurnPorts(desk, sessions, upstream, fleet, loop, other, limits);
    }

    /** What to answer when no worker takes a request. */
    public ApiError refusal(Demand demand, Refusal why) {
        return switch (why) {
            case NONE_ELIGIBLE -> served(demand) ? ApiError.noWorker() : ApiError.modelNotServed();
            case NAMED_NOT_ELIGIBLE -> ApiError.overrideNotEligible();
            case AT_CAP -> ApiError.atCapacity(1);
            case ALL_BUSY -> ApiError.allBusy();
            case BOUND_BUSY -> ApiError.sessionWorkerBusy();
        };
    }

    /** What to answer when there was no room for a request. */
    public static ApiError sentAway(Shed shed) {
        return switch (shed.why()) {
            case QUEUE_FULL -> ApiError.atCapacity(shed.retryAfterSeconds());
            case DEADLINE -> ApiError.waitedTooLong(shed.retryAfterSeconds());
            case LEFT -> ApiError.badGateway("client_gone");
        };
    }

    /** Some worker serves the model, though it takes nothing now, or may: it was not asked yet. */
    private boolean served(Demand demand) {
        List<Worker> ofGroup = fleet.get().workers().stream()
                .filter(worker -> worker.registration().group().equals(demand.group()))
                .toList();
        return ofGroup.isEmpty()
                || ofGroup.stream().anyMatch(w -> w.health() == Worker.Health.PENDING || demand.isServedBy(w));
    }

    /** The workers as this node sees them now. */
    public interface Workers extends Supplier<Fleet> {
        /** A worker's port was found closed. */
        void suspect(WorkerId worker);

        /**
         * A call has come so far.
         *
         * @param sent when it was, by {@link System#nanoTime()}
         */
        void report(WorkerId worker, Outcome outcome, long sent);

        /** A worker asked to be left alone for so long. */
        void rest(WorkerId worker, Duration time);
    }

    /** What is measured of turns. */
    @FunctionalInterface
    public interface TurnMeter {
        /** A turn's worker is decided, so long after its request was read. Measured nowhere unless this is overridden. */
        default void resolved(Decision decision, long nanos) {}

        /** A turn's answer is over, and its engine said so much of its tokens. Of interest to who overrides it. */
        default void used(Usage usage) {}

        /** Whether {@link #spends} wants to hear of tokens too that no engine tells: then they are counted. */
        default boolean countsTokens() {
            return false;
        }

        /** A worker has worked at so many tokens more for the turn. Of interest to who overrides it. */
        default void spends(long tokens) {}

        /**
         * One prompt whose tokens were known: compares what this node thought to be cached with what the engine says.
         *
         * @param predicted its tokens that the worker's cache should hold
         * @param reported its tokens that the engine found there
         */
        void compare(long predicted, long reported);
    }

    /**
     * Bounds of one turn.
     *
     * @param retries when it may try another worker before its first byte
     * @param decisionBudget how long it waits for its session's actor, over all asks
     * @param countOutput whether the tokens that it streams are booked as they come
     */
    public record Limits(Retries retries, Duration decisionBudget, boolean countOutput) {}
}
