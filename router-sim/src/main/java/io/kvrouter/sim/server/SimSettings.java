package io.kvrouter.sim.server;

import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.kv.KvEventSettings;
import java.util.List;
import java.util.Optional;

/**
 * What a simulated worker is.
 *
 * @param host address to listen on
 * @param models names it serves, the first being its own and the others aliases
 * @param adapters names served as adapters of it; their prompts share no cache with the model's
 * @param defaultOutputTokens length of an answer where the request states none
 * @param ranks data-parallel ranks, each an engine of its own
 * @param kvEvents how it publishes KV events; not at all if absent
 */
public record SimSettings(
        String host,
        List<String> models,
        List<String> adapters,
        EngineSettings engine,
        int defaultOutputTokens,
        int ranks,
        Optional<KvEventSettings> kvEvents) {
    /** {@code sim-model} on the loopback address, in real time, 16 tokens an answer, without KV events. */
    public static final SimSettings DEFAULT = new SimSettings(
            "127.0.0.1", List.of("sim-model"), List.of(), EngineSettings.DEFAULT, 16, 1, Optional.empty());

    public SimSettings {
        models = List.copyOf(models);
        adapters = List.copyOf(adapters);
        if (models.isEmpty()) {
            throw new IllegalArgumentException("models: none (expected: at least one)");
        }
        if (defaultOutputTokens < 1) {
            throw new IllegalArgumentException("default output tokens: " + defaultOutputTokens + " (expected: >= 1)");
        }
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks: " + ranks + " (expected: >= 1)");
        }
    }

    public SimSettings withHost(String newHost) {
        return new SimSettings(newHost, models, adapters, engine, defaultOutputTokens, ranks, kvEvents);
    }

    public SimSettings withModels(String... names) {
        return new SimSettings(host, List.of(names), adapters, engine, defaultOutputTokens, ranks, kvEvents);
    }

    public SimSettings withAdapters(String... names) {
        return new SimSettings(host, models, List.of(names), engine, defaultOutputTokens, ranks, kvEvents);
    }

    public SimSettings withEngine(EngineSettings newEngine) {
        return new SimSettings(host, models, adapters, newEngine, defaultOutputTokens, ranks, kvEvents);
    }

    public SimSettings withDefaultOutputTokens(int tokens) {
        return new SimSettings(host, models, adapters, engine, tokens, ranks, kvEvents);
    }

    public SimSettings withRanks(int count) {
        return new SimSettings(host, models, adapters, engine, defaultOutputTokens, count, kvEvents);
    }

    public SimSettings withKvEvents(KvEventSettings events) {
        return new SimSettings(host, models, adapters, engine, defaultOutputTokens, ranks, Optional.of(events));
    }

    /** The settings of one of several workers: ports for its KV events that no other one has. */
    SimSettings ofWorker(int index) {
        return kvEvents.map(events -> withKvEvents(events.ofWorker(index, ranks)))
                .orElse(this);
    }

    /** The model's own name. */
    public String model() {
        return models.getFirst();
    }

    boolean serves(String name) {
        return models.contains(name) || adapters.contains(name);
    }

    /** What keeps the cache of this name's prompts apart: the adapter, empty for the model itself. */
    String adapterOf(String name) {
        return adapters.contains(name) ? name : "";
    }
}
