package io.kvrouter.http.node;

import io.kvrouter.http.ingress.PromptSource;
import io.kvrouter.http.metrics.NodeMetrics;
import io.kvrouter.http.prompt.TokenPrompts;
import io.kvrouter.http.prompt.TokenizingEngines;
import io.kvrouter.http.settings.SettingException;
import io.kvrouter.http.settings.TokenSettings;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokens.LoadedModels;
import io.kvrouter.http.tokens.ModelDirectory;
import io.kvrouter.http.tokens.ModelTokens;
import io.kvrouter.http.tokens.engine.EngineTokenizer;
import io.kvrouter.http.tokens.engine.TokenizerCheck;
import io.kvrouter.http.tokens.engine.TokenizerWatch;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How this node makes prompts into tokens: with a model's own files, else by its engines, else not at all. */
final class NodeTokens {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTokens.class);

    private final SegmentCache cache;
    private final TokenPrompts prompts;
    private final TokenizerWatch watch;

    private NodeTokens(SegmentCache cache, TokenPrompts prompts, TokenizerWatch watch) {
        this.cache = cache;
        this.prompts = prompts;
        this.watch = watch;
    }

    /**
     * What a node's tokens are made of, before anything runs.
     *
     * @param models by the name under which requests ask for them
     */
    record Loaded(TokenSettings settings, SegmentCache cache, Map<String, ModelTokens> models) {
        /** Loads all models; throws {@link SettingException} for the first that can't be used. */
        static Loaded load(TokenSettings settings) {
            var cache = new SegmentCache(settings.cacheBytes());
            Map<String, ModelTokens> models = new TreeMap<>();
            settings.directories().forEach((name, directory) -> models.put(name, load(name, directory, cache)));
            return new Loaded(settings, cache, models);
        }

        private static ModelTokens load(String name, Path directory, SegmentCache cache) {
            try {
                ModelTokens tokens = ModelDirectory.load(directory, cache);
                LOG.info("model {}: tokenizer {}", name, tokens.describe());
                return tokens;
            } catch (IOException e) {
                throw new SettingException(
                        "kvrouter.models.\"" + name + "\".directory", String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * Starts with what was loaded; ends with the actor system.
     *
     * @param publishes whether a worker publishes KV events
     * @param listener gets each fleet, with warnings of the workers' tokenizers
     */
    static NodeTokens start(
            ActorSystem<?> system,
            Loaded loaded,
            Supplier<Fleet> fleet,
            Predicate<Worker> publishes,
            Consumer<Fleet> listener) {
        var models = new LoadedModels(loaded.models(), fleet);
        var settings = loaded.settings();
        var engine = new EngineTokenizer(settings.engineTimeout());
        var limits = new TokenPrompts.Limits(settings.threads(), settings.queue());
        var engines = new TokenizingEngines(fleet, worker -> settings.askEngines() && publishes.test(worker));
        var prompts = new TokenPrompts(models::of, engine, engines, limits);
        system.getWhenTerminated().thenRun(() -> {
            prompts.close();
            engine.close();
            models.close();
        });
        var watch = new TokenizerWatch(models, new TokenizerCheck(engine), listener);
        return new NodeTokens(loaded.cache(), prompts, watch);
    }

    PromptSource prompts() {
        return prompts;
    }

    /** From now on these workers. */
    void fleet(Fleet changed) {
        watch.fleet(changed);
    }

    void measure(NodeMetrics metrics) {
        metrics.tokens(prompts::counts, cache::counts);
    }
}
