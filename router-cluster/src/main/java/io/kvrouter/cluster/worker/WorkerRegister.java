package io.kvrouter.cluster.worker;

import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** The register of workers, as the rest of this node uses it. Every change reaches all nodes. */
public interface WorkerRegister {
    /** The workers that are registered, as this node knows them now. */
    Collection<Registration> registered();

    /** Adds workers of this node's static list, unless they are known or were removed while the list was the same. */
    void addStatic(List<Registration> workers);

    /** Registers a worker, or replaces what was registered under its id. */
    CompletionStage<Registration> register(Registration registration);

    /**
     * Changes a registered worker; empty if there is none of that id. The change runs on a thread of the replicator, and
     * must not fail.
     */
    CompletionStage<Optional<Registration>> change(WorkerId id, UnaryOperator<Registration> change);

    /** Removes a worker; empty if there is none of that id. */
    CompletionStage<Optional<Registration>> remove(WorkerId id);
}
