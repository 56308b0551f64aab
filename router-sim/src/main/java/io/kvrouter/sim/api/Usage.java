package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Tokens that a completion read, wrote and found in the prefix cache. */
public record Usage(int promptTokens, int completionTokens, int cachedTokens) {
    ObjectNode json() {
        ObjectNode usage = Json.object();
        usage.put("prompt_tokens", promptTokens)
                .put("completion_tokens", completionTokens)
                .put("total_tokens", promptTokens + completionTokens);
        usage.putObject("prompt_tokens_details").put("cached_tokens", cachedTokens);
        return usage;
    }
}
