package io.kvrouter.sim.server;

import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.kv.KvEventSettings;
import io.kvrouter.sim.tokens.WorkerTokens;
import java.util.List;
import java.util.Optional;

/**
 * What a simulated worker is.
 *
 * @param host address to listen on
 * @param served the model, as which it answers
 * @param defaultOutputTokens length of an answer where the request states none
 * @param ranks data-parallel ranks, each an engine of its own
 * @param kvEvents how it publishes KV events; not at all if absent
 */
public record SimSettings(
        String host,
        Served served,
        EngineSettings engine,
        int defaultOutputTokens,
        int ranks,
        Optional<KvEventSettings> kvEvents) {
    /**
     * The model that a worker has.
     *
     * @param models names it serves, the first being its own and the others aliases
     * @param adapters names served as adapters of it; their prompts share no cache with the model's
     */
    public record Served(List<String> models, List<String> adapters, WorkerTokens tokens) {
        public Served {
            models = List.copyOf(models);
            adapters = List.copyOf(adapters);
            if (models.isEmpty()) {
                throw new IllegalArgumentException("models: none (expected: at least one)");
            }
        }
    }

    /** {@code sim-model} on the loopback address, in real time, 16 tokens an answer, without KV events. */
    public static final SimSettings DEFAULT = new SimSettings(
            "127.0.0.1",
            new Served(List.of("sim-model"), List.of(), WorkerTokens.SIMULATED),
            EngineSettings.DEFAULT,
            16,
            1,
            Optional.empty());

    public SimSettings {
        if (defaultOutputTokens < 1) {
            throw new IllegalArgumentException("default output tokens: " + defaultOutputTokens + " (expected: >= 1)");
        }
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks: " + ranks + " (expected: >= 1)");
        }
    }

    public SimSettings withHost(String newHost) {
        return new SimSettings(newHost, served, engine, defaultOutputTokens, ranks, kvEvents);
    }

    public SimSettings withModels(String... names) {
        return withServed(new Served(List.of(names), served.adapters(), served.tokens()));
    }

    public SimSettings withAdapters(String... names) {
        return withServed(new Served(served.models(), List.of(names), served.tokens()));
    }

    /** Prompts and answers have these tokens. */
    public SimSettings withTokens(WorkerTokens tokens) {
        return withServed(new Served(served.models(), served.adapters(), tokens));
    }

    private SimSettings withServed(Served newServed) {
        return new SimSettings(host, newServed, engine, defaultOutputTokens, ranks, kvEvents);
    }

    public SimSettings withEngine(EngineSettings newEngine) {
        return new SimSettings(host, served, newEngine, defaultOutputTokens, ranks, kvEvents);
    }

    public SimSettings withDefaultOutputTokens(int tokens) {
        return new SimSettings(host, served, engine, tokens, ranks, kvEvents);
    }

    public SimSettings withRanks(int count) {
        return new SimSettings(host, served, engine, defaultOutputTokens, count, kvEvents);
    }

    public SimSettings withKvEvents(KvEventSettings events) {
        return new SimSettings(host, served, engine, defaultOutputTokens, ranks, Optional.of(events));
    }

    /** The settings of one of several workers: ports for its KV events that no other one has. */
    SimSettings ofWorker(int index) {
        return kvEvents.map(events -> withKvEvents(events.ofWorker(index, ranks)))
                .orElse(this);
    }

    List<String> models() {
        return served.models();
    }

    List<String> adapters() {
        return served.adapters();
    }

    WorkerTokens tokens() {
        return served.tokens();
    }

    /** The model's own name. */
    public String model() {
        return models().getFirst();
    }

    boolean serves(String name) {
        return models().contains(name) || adapters().contains(name);
    }

    /** What keeps the cache of this name's prompts apart: the adapter, empty for the model itself. */
    String adapterOf(String name) {
        return adapters().contains(name) ? name : "";
    }
}
