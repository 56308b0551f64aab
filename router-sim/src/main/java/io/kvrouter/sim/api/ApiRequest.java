package io.kvrouter.sim.api;

import io.kvrouter.sim.tokens.TokenIds;
import java.util.List;
import java.util.OptionalInt;

/**
 * A completion that was asked for.
 *
 * @param chat in the shape of chat completions, else of legacy completions
 * @param model as asked for; empty means whatever is served
 * @param prompts one for a chat, one or more for a legacy completion
 * @param samples answers to each prompt
 * @param maxTokens length of each answer, if stated
 * @param cacheSalt keeps prompts of different salts apart in the prefix cache; empty means none
 */
public record ApiRequest(
        boolean chat,
        String model,
        List<TokenIds> prompts,
        int samples,
        OptionalInt maxTokens,
        String cacheSalt,
        Delivery delivery) {
    /** How the answer is to come: at once or token by token, and then with or without the usage at its end. */
    public enum Delivery {
        WHOLE,
        STREAM,
        STREAM_WITH_USAGE;

        public boolean streams() {
            return this != WHOLE;
        }
    }

    public ApiRequest {
        prompts = List.copyOf(prompts);
    }

    /** Answers in all. */
    public int choices() {
        return prompts.size() * samples;
    }

    public int promptTokens() {
        return prompts.stream().mapToInt(TokenIds::count).sum();
    }
}
