package io.kvrouter.sim.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.tokens.UntokenizableException;

/** Four bytes a token; a chat's text is {@link PromptText}. */
final class SimulatedTokens implements WorkerTokens {
    private static final int[] WORDS =
            TokenIds.ofText(FillerText.of(FillerText.DIFFERENT_WORDS)).toArray();

    @Override
    public TokenIds ofChat(JsonNode request) throws UntokenizableException {
        boolean opensAnswer = request.path("add_generation_prompt").asBoolean(true);
        return TokenIds.ofText(PromptText.of(request.path("tools"), request.path("messages"), opensAnswer));
    }

    @Override
    public TokenIds ofText(String prompt, JsonNode request) {
        return TokenIds.ofText(prompt);
    }

    @Override
    public Answer answer(int tokens) {
        int[] ids = new int[tokens];
        for (int i = 0; i < tokens; i++) {
            ids[i] = WORDS[i % FillerText.DIFFERENT_WORDS];
        }
        return new Answer() {
            @Override
            public TokenIds tokens() {
                return TokenIds.of(ids);
            }

            @Override
            public String piece(int index) {
                return FillerText.word(index);
            }

            @Override
            public String text() {
                return FillerText.of(tokens);
            }
        };
    }
}
