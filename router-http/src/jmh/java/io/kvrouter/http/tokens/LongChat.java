package io.kvrouter.http.tokens;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.tokenizer.OrdinaryText;
import java.nio.charset.StandardCharsets;

/** The body of a conversation of about 100 k tokens (of a large vocabulary): 25 messages, the last one of 1 k tokens. */
final class LongChat {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MESSAGES = 24;
    private static final int CHARACTERS = 17_000;
    private static final int LAST_CHARACTERS = 4_200;

    private final long seed;

    LongChat(long seed) {
        this.seed = seed;
    }

    /** One turn of it: its history is the same in every turn, its last message is not. */
    byte[] turn(long number) {
        ObjectNode body = JSON.createObjectNode().put("model", "m").put("stream", true);
        ArrayNode messages = body.putArray("messages");
        for (int i = 0; i < MESSAGES; i++) {
            messages.addObject()
                    .put("role", i == 0 ? "system" : i % 2 == 1 ? "user" : "assistant")
                    .put("content", OrdinaryText.of(seed * MESSAGES + i, CHARACTERS));
        }
        messages.addObject().put("role", "user").put("content", OrdinaryText.of(~number, LAST_CHARACTERS));
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }
}
