package io.kvrouter.selection;

import io.kvrouter.kv.Prompt;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.WorkerId;
import java.util.Optional;
import java.util.Set;

/**
 * A request that needs a worker.
 *
 * @param excluded workers that it was tried on already
 * @param session what {@link Policy#CONSISTENT_HASH} hashes; without one it hashes the prompt's beginning
 * @param factors in place of the node's, for this request
 * @param override the one worker that it may go to, busy or not
 */
public record SelectionRequest(
        Demand demand,
        Set<WorkerId> excluded,
        Prompt prompt,
        Optional<SessionKey> session,
        Optional<CostFactors> factors,
        Optional<WorkerId> override) {
    public SelectionRequest {
        excluded = Set.copyOf(excluded);
    }

    public static SelectionRequest of(Demand demand, Prompt prompt) {
        return new SelectionRequest(demand, Set.of(), prompt, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
