package io.kvrouter.http.openai;

import java.util.OptionalLong;

/**
 * Tokens of a turn by its engine's word, as far as it said any.
 *
 * @param promptTokens of the whole prompt
 * @param cachedTokens of the prompt, that were in its cache
 * @param outputTokens of the answer
 */
public record Usage(OptionalLong promptTokens, OptionalLong cachedTokens, OptionalLong outputTokens) {
    /** Nothing was said. */
    public static final Usage UNTOLD = new Usage(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
}
