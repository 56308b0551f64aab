package io.kvrouter.worker;

import java.util.Set;

/**
 * What a request demands of a worker, whatever the load.
 *
 * @param group routing group
 * @param model model or adapter, as requested; {@link #ANY_MODEL} where the request names none
 * @param allowed the request's allowlist; empty = every worker
 */
public record Demand(String group, String model, Set<WorkerId> allowed) {
    /** What any worker may answer. */
    public static final String ANY_MODEL = "";

    public Demand {
        allowed = Set.copyOf(allowed);
    }

    /** Eligible: serves the model, is in the group and on the allowlist, healthy and not draining. */
    public boolean admits(Worker worker) {
        return worker.available()
                && worker.registration().group().equals(group)
                && (allowed.isEmpty() || allowed.contains(worker.id()))
                && isServedBy(worker);
    }

    /** Whether the worker has what is asked for, be it available or not. */
    public boolean isServedBy(Worker worker) {
        return model.equals(ANY_MODEL) || worker.serves(model);
    }
}
