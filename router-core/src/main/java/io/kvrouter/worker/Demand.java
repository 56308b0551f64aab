package io.kvrouter.worker;

import java.util.Set;

/**
 * What a request demands of a worker, whatever the load.
 *
 * @param group routing group
 * @param model model or adapter, as requested
 * @param allowed the request's allowlist; empty = every worker
 */
public record Demand(String group, String model, Set<WorkerId> allowed) {
    public Demand {
        allowed = Set.copyOf(allowed);
    }

    /** Eligible: serves the model, is in the group and on the allowlist, healthy and not draining. */
    public boolean admits(Worker worker) {
        return worker.available()
                && worker.registration().group().equals(group)
                && (allowed.isEmpty() || allowed.contains(worker.id()))
                && worker.serves(model);
    }
}
