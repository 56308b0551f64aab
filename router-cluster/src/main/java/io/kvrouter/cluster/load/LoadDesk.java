package io.kvrouter.cluster.load;

import io.kvrouter.booking.Explanation;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.Workload;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Fleet;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Where the ingress selects workers and books their load. Safe for use by any thread; nothing blocks.
 *
 * <p>A stage that its caller completed or cancelled before the answer leaves nothing booked.
 */
public interface LoadDesk {
    /** Selects a worker by the policy and books the request there, in one step. */
    CompletionStage<SelectionAnswer> select(SelectionRequest request);

    /** Books a pinned turn on its worker; refused if that is not in the fleet or not eligible. */
    CompletionStage<SelectionAnswer> reserve(Pin pin, Workload workload);

    /** What a selection would see, and choose. Books nothing. */
    CompletionStage<Explanation> explain(SelectionRequest request);

    /** The estimate of a pinned turn was wrong: replaces what was booked, as long as the prompt is not known. */
    void estimate(ReservationId id, Workload.Estimated workload);

    /**
     * More is known of a booked prompt: replaces what was booked.
     *
     * @param contextTokens tokens of the session's last turn, which its worker has cached; 0 if that is not known
     * @return prompt tokens that the engine will find cached; empty where that can't be told any more
     */
    CompletionStage<OptionalLong> correct(ReservationId id, Prompt prompt, long contextTokens);

    /** The worker's first content byte came. Told twice, or after the end, it changes nothing. */
    void prefillComplete(ReservationId id);

    /** The request's answer has so many tokens by now, at least. */
    default void output(ReservationId id, long tokens) {}

    /** The attempt is over, however it ended. Told twice it changes nothing. */
    void end(ReservationId id);

    /** From now on these workers. */
    void fleet(Fleet fleet);

    /** The load as it is known now; does not ask the actor. */
    LoadView view();

    /**
     * The lowest of the members' clocks in ms, this node's own included, as last heard. Empty until every other member
     * that is up was heard of; stands still while one is unreachable.
     */
    OptionalLong lowestClock();

    /** Starts the node's desk. One for an actor system, which must be a cluster's. */
    static LoadDesk start(
            ActorSystem<?> system,
            LoadSettings settings,
            Supplier<CacheView> caches,
            InstantSource time,
            RandomGenerator random) {
        return ActorLoadDesk.start(system, settings, caches, time, random);
    }
}
