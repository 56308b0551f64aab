package io.kvrouter.http.tokens;

import com.fasterxml.jackson.databind.JsonNode;

/** Makes the text of a chat request's prompt, as the engine's template does. */
@FunctionalInterface
public interface PromptTemplate {
    /**
     * A prompt's text.
     *
     * @param keyed how many of its characters, from the start, are certainly the engine's own
     */
    record Rendered(String text, int keyed) {}

    /**
     * The prompt's text.
     *
     * @throws UntokenizableException if the engine's text can't be known, or the engine will refuse the request
     */
    Rendered render(JsonNode request) throws UntokenizableException;
}
