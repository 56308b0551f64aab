package io.kvrouter.worker;

import java.util.List;
import java.util.Locale;

/**
 * A worker as this node's decisions see it: what was registered, what the engine said of itself, and whether it lives.
 *
 * @param warnings what the operator should know of it, one sentence each
 */
public record Worker(Registration registration, EngineFacts probed, Health health, List<String> warnings) {
    /** The KV block size of an engine that does not tell: vLLM's default. */
    public static final int DEFAULT_BLOCK_SIZE = 16;

    /** This node's own view of whether the engine answers. */
    public enum Health {
        /** Not asked yet, or never healthy so far. */
        PENDING,
        /** Answered its last health check. */
        UP,
        /** Failed its health checks, or refused a connection. */
        DOWN
    }

    public Worker {
        warnings = List.copyOf(warnings);
    }

    public WorkerId id() {
        return registration.id();
    }

    /** What was stated, and where that is silent what the engine said. */
    public EngineFacts facts() {
        return registration.stated().orElse(probed);
    }

    public int blockSize() {
        return facts().blockSize().orElse(DEFAULT_BLOCK_SIZE);
    }

    public int ranks() {
        return facts().ranks().orElse(1);
    }

    /** Differs between two lives of the engine; 0 while unknown. */
    public long incarnation() {
        return facts().incarnation().orElse(0L);
    }

    /** May take requests: answers health checks and is not being drained. */
    public boolean available() {
        return health == Health.UP && !registration.draining();
    }

    /** Serves a model, or an adapter, under this name. */
    public boolean serves(String model) {
        var facts = facts();
        return facts.models().contains(model) || facts.adapters().contains(model);
    }

    /** What the operator reads: pending, up, down or draining. */
    public String state() {
        return health == Health.UP && registration.draining()
                ? "draining"
                : health.name().toLowerCase(Locale.ROOT);
    }
}
