package io.kvrouter.http.prompt;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.ingress.PromptSource;
import io.kvrouter.http.openai.Cause;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.tokens.ModelTokens;
import io.kvrouter.http.tokens.TokenizedPrompt;
import io.kvrouter.http.tokens.UntokenizableException;
import io.kvrouter.http.tokens.engine.EngineTokenizeException;
import io.kvrouter.http.tokens.engine.EngineTokenizeException.Kind;
import io.kvrouter.http.tokens.engine.EngineTokenizer;
import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.kv.Prompt;
import io.kvrouter.worker.Demand;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads prompts as tokens: made here where the model's files are known, else by an engine, else the prompt stays text.
 *
 * <p>Never slower than a request can bear: when too many wait for a thread, or an engine does not answer in time, the
 * prompt is taken as text. No failure of reading ends a request.
 */
public final class TokenPrompts implements PromptSource, AutoCloseable {
    /** A body's length is checked where it is received. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build());

    private final Models models;
    private final EngineTokenizer engine;
    private final Engines engines;
    private final TokenizeThreads threads;
    private final LongAdder own = new LongAdder();
    private final LongAdder byEngines = new LongAdder();
    private final LongAdder texts = new LongAdder();
    private final LongAdder busy = new LongAdder();

    /** Finds what this router knows of a model. */
    @FunctionalInterface
    public interface Models {
        /**
         * A model's tokens.
         *
         * @param adapter the requested name if it is an adapter's, else empty
         */
        Optional<ModelTokens> of(Demand demand, String adapter);
    }

    /** Finds an engine to ask. */
    public interface Engines {
        /** An engine that may know the tokens of such a request. */
        Optional<URI> of(Demand demand);

        /** It tells nobody's tokens. */
        void without(URI engine);
    }

    /**
     * How much may be read at once.
     *
     * @param threads 0 = one per core
     * @param queue prompts that may wait for a thread
     */
    public record Limits(int threads, int queue) {}

    /** Reads prompts. */
    public TokenPrompts(Models models, EngineTokenizer engine, Engines engines, Limits limits) {
        this.models = models;
        this.engine = engine;
        this.engines = engines;
        int count =
                limits.threads() > 0 ? limits.threads() : Runtime.getRuntime().availableProcessors();
        this.threads = new TokenizeThreads(count, limits.queue());
    }

    @Override
    public TurnPrompt of(Demand demand, String adapter, CompletionBody body, byte[] bytes) {
        Optional<ModelTokens> model = models.of(demand, adapter);
        Optional<URI> asked = engines.of(demand);
        if (model.isEmpty() && asked.isEmpty()) {
            texts.increment();
            return TEXT.of(demand, adapter, body, bytes);
        }
        long length = body.prompt().stream().mapToLong(ByteBuffer::remaining).sum();
        var request = new Request(adapter, body, bytes);
        return TurnPrompt.unread(length, () -> request.read(model, asked));
    }

    /** How prompts were read so far. */
    public PromptCounts counts() {
        return new PromptCounts(own.sum(), byEngines.sum(), texts.sum(), busy.sum());
    }

    @Override
    public void close() {
        threads.close();
    }

    private final class Request {
        private final String adapter;
        private final CompletionBody body;
        private final byte[] bytes;

        Request(String adapter, CompletionBody body, byte[] bytes) {
            this.adapter = adapter;
            this.body = body;
            this.bytes = bytes;
        }

        CompletionStage<Prompt> read(Optional<ModelTokens> model, Optional<URI> asked) {
            return threads.run(() -> tokens(model, asked))
                    .thenCompose(tokens -> tokens)
                    .thenApply(this::exact)
                    .exceptionally(this::text);
        }

        /** On a thread of ours: to parse a long body takes milliseconds too. */
        private CompletionStage<TokenizedPrompt> tokens(Optional<ModelTokens> model, Optional<URI> asked)
                throws IOException, UntokenizableException {
            JsonNode json = JSON.readTree(bytes);
            if (model.isPresent()) {
                try {
                    TokenizedPrompt tokens = model.get().of(json);
                    own.increment();
                    return CompletableFuture.completedStage(tokens);
                } catch (UntokenizableException e) {
                    if (asked.isEmpty()) {
                        throw e;
                    }
                }
            }
            URI at = asked.orElseThrow();
            return engine.tokens(at, json).whenComplete((tokens, failure) -> {
                if (failure == null) {
                    byEngines.increment();
                } else if (Cause.of(failure) instanceof EngineTokenizeException e && e.kind() == Kind.NOT_OFFERED) {
                    engines.without(at);
                }
            });
        }

        private Prompt exact(TokenizedPrompt prompt) {
            return Prompt.ofTokens(
                    prompt.tokens(), prompt.keyed(), adapter, body.cacheSalt().orElse(""));
        }

        /** No failure is logged: it is one request's, and what was wrong with it the engine will say. */
        private Prompt text(Throwable failure) {
            if (Cause.of(failure) instanceof RejectedExecutionException) {
                busy.increment();
            }
            texts.increment();
            return Prompt.ofText(body.prompt(), adapter, body.cacheSalt().orElse(""));
        }
    }
}
