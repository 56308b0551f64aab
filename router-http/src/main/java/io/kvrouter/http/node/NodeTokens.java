package io.kvrouter.http.node;

import io.kvrouter.http.ingress.PromptSource;
import io.kvrouter.http.metrics.NodeMetrics;
import io.kvrouter.http.prompt.TokenPrompts;
import io.kvrouter.http.prompt.TokenizingEngines;
import io.kvrouter.http.settings.TokenSettings;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokens.LoadedModels;
import io.kvrouter.http.tokens.engine.EngineTokenizer;
import io.kvrouter.http.tokens.engine.TokenizerCheck;
import io.kvrouter.http.tokens.engine.TokenizerWatch;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import java.time.Clock;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorSystem;

/** How this node makes prompts into tokens: with a model's own files, else by its engines, else not at all. */
final class NodeTokens {
    private final Loaded loaded;
    private final TokenPrompts prompts;
    private final TokenizerWatch watch;

    private NodeTokens(Loaded loaded, TokenPrompts prompts, TokenizerWatch watch) {
        this.loaded = loaded;
        this.prompts = prompts;
        this.watch = watch;
    }

    /** What a node's tokens are made of, before anything runs; {@code fleet} is what their users look at. */
    record Loaded(TokenSettings settings, SegmentCache cache, LoadedModels models, AtomicReference<Fleet> fleet) {
        /** Loads all models; throws {@link io.kvrouter.http.settings.SettingException} for the first that can't be used. */
        static Loaded load(TokenSettings settings) {
            var cache = new SegmentCache(settings.cacheBytes());
            var fleet = new AtomicReference<>(Fleet.EMPTY);
            var clock = Clock.system(ZoneId.systemDefault()); // the engine's templates ask for its local date
            return new Loaded(settings, cache, LoadedModels.load(settings, cache, clock, fleet::get), fleet);
        }
    }

    /**
     * Starts with what was loaded; ends with the actor system.
     *
     * @param engine asks engines for their tokens
     * @param publishes whether a worker publishes KV events
     * @param listener gets each fleet, with warnings of the workers' tokenizers
     */
    static NodeTokens start(
            ActorSystem<?> system,
            Loaded loaded,
            EngineTokenizer engine,
            Predicate<Worker> publishes,
            Consumer<Fleet> listener) {
        var settings = loaded.settings();
        var engines =
                new TokenizingEngines(loaded.fleet()::get, worker -> settings.askEngines() && publishes.test(worker));
        var limits = new TokenPrompts.Limits(settings.threads(), settings.queue());
        var prompts = new TokenPrompts(loaded.models()::of, engine, engines, limits);
        system.getWhenTerminated().thenRun(() -> {
            prompts.close();
            engine.close();
            loaded.models().close();
        });
        return new NodeTokens(
                loaded, prompts, new TokenizerWatch(loaded.models(), new TokenizerCheck(engine), listener));
    }

    PromptSource prompts() {
        return prompts;
    }

    /** From now on these workers. */
    void fleet(Fleet changed) {
        loaded.fleet().set(changed);
        watch.fleet(changed);
    }

    void measure(NodeMetrics metrics) {
        metrics.tokens(prompts::counts, loaded.cache()::counts);
    }
}
