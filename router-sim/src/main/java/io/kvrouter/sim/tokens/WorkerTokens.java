package io.kvrouter.sim.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.tokens.UntokenizableException;

/** How a worker makes tokens: of what it is asked, and of its answers. May be used from several threads. */
public interface WorkerTokens {
    /** Without any model: {@link TokenIds#ofText}. */
    WorkerTokens SIMULATED = new SimulatedTokens();

    /**
     * The prompt of a chat.
     *
     * @param request its whole body
     * @throws UntokenizableException if no prompt can be made of it
     */
    TokenIds ofChat(JsonNode request) throws UntokenizableException;

    /**
     * A prompt that is text.
     *
     * @param request the whole body that it came in
     * @throws UntokenizableException if it can't be tokenized
     */
    TokenIds ofText(String prompt, JsonNode request) throws UntokenizableException;

    /** An answer of so many tokens: of fewer, where no text has just as many. */
    Answer answer(int tokens);
}
