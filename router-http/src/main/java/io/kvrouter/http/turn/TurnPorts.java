package io.kvrouter.http.turn;

import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.http.upstream.Upstream;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What turns need of the node.
 *
 * @param fleet the workers as this node sees them now
 * @param suspect a worker's port was found closed
 * @param loop the event loop that a turn stays on, from whichever thread the word comes that it may go on
 * @param limits settings
 */
public record TurnPorts(
        LoadDesk desk,
        Sessions sessions,
        Upstream upstream,
        Supplier<Fleet> fleet,
        Consumer<WorkerId> suspect,
        Supplier<Executor> loop,
        Limits limits) {

    /**
     * Bounds of one turn.
     *
     * @param maxAttempts workers that it may try before its first byte
     * @param decisionBudget how long it waits for its session's actor, over all asks
     */
    public record Limits(int maxAttempts, Duration decisionBudget) {}
}
