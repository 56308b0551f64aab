package io.kvrouter.cluster.load;

import io.kvrouter.admission.AdmissionView;
import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Where the ingress selects workers and books their load. Safe for use by any thread; nothing blocks.
 *
 * <p>A stage that its caller completed or cancelled before the answer leaves nothing booked.
 */
public interface LoadDesk {
    /**
     * Asks to have a request's body read. Completes when that may be, with why not if there is no room for it. Whoever
     * enters must {@link #leave}.
     */
    CompletionStage<Optional<Shed>> enter(Ticket ticket);

    /** The request is over, or its client has gone: what it waits for it gets no more, and it has room for another. */
    void leave(Ticket ticket);

    /**
     * Selects a worker by the policy and books the request there, in one step; waits while all of them are full. A ticket
     * that waits must hold no booking, and must {@link #leave}.
     */
    CompletionStage<SelectionAnswer> select(SelectionRequest request, Ticket ticket);

    /** Books a pinned turn on its worker, as {@link #select} does; refused if that is not in the fleet or not eligible. */
    CompletionStage<SelectionAnswer> reserve(Pin pin, Workload workload, Ticket ticket);

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

    /** The answer has so many tokens by now. Told late, or in another order, the highest figure counts. */
    void output(ReservationId id, long tokens);

    /** The attempt is over, however it ended. Told twice it changes nothing. */
    void end(ReservationId id);

    /** From now on these workers. */
    void fleet(Fleet fleet);

    /** Completed when the cluster shares the caps of workers with this node; at once where there are none. */
    CompletionStage<Done> admitting();

    /** Who is inside and who waits, a moment ago; does not ask the actor. */
    AdmissionView admission();

    /** The load as it is known now; does not ask the actor. */
    LoadView view();

    /**
     * The lowest of the members' clocks in ms, this node's own included, as last heard. Empty until every other member
     * that is up was heard of; stands still while one is unreachable.
     */
    OptionalLong lowestClock();

    /**
     * What the desk reads and does not own.
     *
     * @param caches what is known of the workers' caches
     * @param footprint what the sessions decided on this node keep resident
     * @param time this node's clock
     * @param random for ties
     */
    record Sources(Supplier<CacheView> caches, Footprint footprint, InstantSource time, RandomGenerator random) {}

    /** Starts the node's desk. One for an actor system, which must be a cluster's. */
    static LoadDesk start(ActorSystem<?> system, LoadSettings settings, Sources sources) {
        return ActorLoadDesk.start(system, settings, sources);
    }
}
