package io.kvrouter.http.tokens.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.openai.Cause;
import io.kvrouter.http.tokens.ModelTokens;
import io.kvrouter.http.tokens.TokenizedPrompt;
import io.kvrouter.http.tokens.UntokenizableException;
import io.kvrouter.http.tokens.engine.EngineTokenizeException.Kind;
import java.net.URI;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Compares a model's tokens as this router makes them with those of an engine that serves it: when a worker is
 * registered, by a dozen fixed requests, one after the other.
 */
public final class TokenizerCheck {
    /** What came of it. */
    public sealed interface Result {
        /**
         * The same ids wherever both had some.
         *
         * @param chats how many chats were compared; 0 = the engine does not tell the tokens of chats
         * @param texts how many texts were
         */
        record Exact(int chats, int texts) implements Result {}

        /**
         * Other ids.
         *
         * @param sample name of the first request that differs
         * @param index first token that differs
         */
        record Differs(String sample, int index) implements Result {}

        /** The engine has no such endpoint. */
        record NotOffered() implements Result {}

        /** The engine did not answer. */
        record Unknown(String why) implements Result {}
    }

    private final EngineTokenizer engine;

    public TokenizerCheck(EngineTokenizer engine) {
        this.engine = engine;
    }

    /**
     * Compares.
     *
     * @param worker its base URL
     * @param model the name that it serves the model under
     */
    public CompletionStage<Result> check(URI worker, String model, ModelTokens tokens) {
        return new Run(worker, tokens, CheckSamples.of(model).entrySet().iterator()).next();
    }

    private final class Run {
        private final URI worker;
        private final ModelTokens tokens;
        private final Iterator<Map.Entry<String, ObjectNode>> samples;
        private int chats;
        private int texts;

        Run(URI worker, ModelTokens tokens, Iterator<Map.Entry<String, ObjectNode>> samples) {
            this.worker = worker;
            this.tokens = tokens;
            this.samples = samples;
        }

        CompletionStage<Result> next() {
            if (!samples.hasNext()) {
                return CompletableFuture.completedStage(
                        chats + texts > 0 ? new Result.Exact(chats, texts) : new Result.NotOffered());
            }
            var sample = samples.next();
            TokenizedPrompt own;
            try {
                own = tokens.of(sample.getValue());
            } catch (UntokenizableException e) { // the engine's endpoint is asked for such requests anyway
                return next();
            }
            return engine.tokens(worker, sample.getValue())
                    .handle((engines, failure) -> failure == null
                            ? compared(sample.getKey(), own.tokens(), engines.tokens())
                            : failed(failure))
                    .thenCompose(step -> step);
        }

        private CompletionStage<Result> compared(String name, int[] own, int[] engines) {
            int index = Arrays.mismatch(own, engines);
            if (index >= 0) {
                return CompletableFuture.completedStage(new Result.Differs(name, index));
            }
            if (name.startsWith("chat")) {
                chats++;
            } else {
                texts++;
            }
            return next();
        }

        private CompletionStage<Result> failed(Throwable failure) {
            if (Cause.of(failure) instanceof EngineTokenizeException refusal && refusal.kind() != Kind.FAILED) {
                return next();
            }
            return CompletableFuture.completedStage(new Result.Unknown("the engine gave no tokens"));
        }
    }
}
