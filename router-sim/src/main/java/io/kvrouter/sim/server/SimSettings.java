package io.kvrouter.sim.server;

import io.kvrouter.sim.engine.EngineSettings;
import java.util.List;

/**
 * What a simulated worker is.
 *
 * @param host address to listen on
 * @param models names it serves, the first being its own and the others aliases
 * @param adapters names served as adapters of it; their prompts share no cache with the model's
 * @param defaultOutputTokens length of an answer where the request states none
 */
public record SimSettings(
        String host, List<String> models, List<String> adapters, EngineSettings engine, int defaultOutputTokens) {
    /** {@code sim-model} on the loopback address, in real time, 16 tokens an answer. */
    public static final SimSettings DEFAULT =
            new SimSettings("127.0.0.1", List.of("sim-model"), List.of(), EngineSettings.DEFAULT, 16);

    public SimSettings {
        models = List.copyOf(models);
        adapters = List.copyOf(adapters);
        if (models.isEmpty()) {
            throw new IllegalArgumentException("models: none (expected: at least one)");
        }
        if (defaultOutputTokens < 1) {
            throw new IllegalArgumentException("default output tokens: " + defaultOutputTokens + " (expected: >= 1)");
        }
    }

    public SimSettings withHost(String newHost) {
        return new SimSettings(newHost, models, adapters, engine, defaultOutputTokens);
    }

    public SimSettings withModels(String... names) {
        return new SimSettings(host, List.of(names), adapters, engine, defaultOutputTokens);
    }

    public SimSettings withAdapters(String... names) {
        return new SimSettings(host, models, List.of(names), engine, defaultOutputTokens);
    }

    public SimSettings withEngine(EngineSettings newEngine) {
        return new SimSettings(host, models, adapters, newEngine, defaultOutputTokens);
    }

    public SimSettings withDefaultOutputTokens(int tokens) {
        return new SimSettings(host, models, adapters, engine, tokens);
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
