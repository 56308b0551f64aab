package io.kvrouter.worker;

import java.util.List;
import java.util.Locale;

/**
 * A worker as this node's decisions see it: what was registered, what the engine said of itself, and whether it lives.
 *
 * @param warnings what the operator should know of it, one sentence each
 * @param allowance requests that this node may have there at once, of those that may go elsewhere: few while it comes
 *     back from a failure, none while it asks for rest. Counts only where another worker has room by its own
 */
public record Worker(
        Registration registration, EngineFacts probed, Health health, List<String> warnings, int allowance) {
    /** The KV block size of an engine that does not tell: vLLM's default. */
    public static final int DEFAULT_BLOCK_SIZE = 16;

    /** This node's own view of whether the engine answers. */
    public enum Health {
        /** Not asked yet, or never healthy so far. */
        PENDING,
        /** Answered its last health check. */
        UP,
        /** Failed its health checks, or refused a connection. */
        DOWN,
        /** Answers its health checks, but its circuit breaker is open: too many of its answers to requests failed. */
        BROKEN,
        /** Was broken; one request at a time finds out whether it still is. */
        TRIAL
    }

    /** Of a worker that takes whatever comes. */
    public Worker(Registration registration, EngineFacts probed, Health health, List<String> warnings) {
        this(registration, probed, health, warnings, Integer.MAX_VALUE);
    }

    public Worker {
        warnings = List.copyOf(warnings);
    }

    /** As it was registered meanwhile. */
    public Worker with(Registration changed) {
        return new Worker(changed, probed, health, warnings, allowance);
    }

    /** The same, of which more was found out. */
    public Worker with(EngineFacts found) {
        return new Worker(registration, found, health, warnings, allowance);
    }

    /** The same with these warnings. */
    public Worker with(List<String> changed) {
        return new Worker(registration, probed, health, changed, allowance);
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

    /** May take requests: answers health checks, is not broken, and is not being drained. */
    public boolean available() {
        return lives() && !registration.draining();
    }

    private boolean lives() {
        return health == Health.UP || health == Health.TRIAL;
    }

    /** It has less room than the load says. */
    public boolean limited() {
        return allowance != Integer.MAX_VALUE;
    }

    /** Serves a model, or an adapter, under this name. */
    public boolean serves(String model) {
        var facts = facts();
        return facts.models().contains(model) || facts.adapters().contains(model);
    }

    /** What the operator reads: pending, up, down, broken, trial or draining. */
    public String state() {
        return lives() && registration.draining() ? "draining" : health.name().toLowerCase(Locale.ROOT);
    }
}
