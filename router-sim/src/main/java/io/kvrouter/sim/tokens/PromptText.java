package io.kvrouter.sim.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.tokens.UntokenizableException;

/**
 * The text that the simulated engine makes of a chat: tools first, then each message under its role, then the role of
 * the answer.
 */
final class PromptText {
    private PromptText() {}

    /** @param opensAnswer whether the text ends with the role under which the answer is to follow */
    static String of(JsonNode tools, JsonNode messages, boolean opensAnswer) throws UntokenizableException {
        var text = new StringBuilder();
        if (tools.isArray() && !tools.isEmpty()) {
            text.append(tools).append('\n');
        }
        for (JsonNode message : messages) {
            append(text, message);
        }
        return opensAnswer ? text.append("<|assistant|>\n").toString() : text.toString();
    }

    private static void append(StringBuilder text, JsonNode message) throws UntokenizableException {
        JsonNode role = message.path("role");
        if (!role.isTextual()) {
            throw new UntokenizableException("messages: one without a role (expected: a role in each)");
        }
        text.append("<|").append(role.textValue()).append("|>\n");
        appendContent(text, message.path("content"));
        JsonNode calls = message.path("tool_calls");
        if (calls.isArray() && !calls.isEmpty()) {
            text.append(calls);
        }
        text.append('\n');
    }

    private static void appendContent(StringBuilder text, JsonNode content) throws UntokenizableException {
        if (content.isTextual()) {
            text.append(content.textValue());
        } else if (content.isArray()) {
            for (JsonNode part : content) {
                text.append(part.path("text").isTextual() ? part.path("text").textValue() : part.toString());
            }
        } else if (!content.isNull() && !content.isMissingNode()) {
            throw new UntokenizableException("messages: content of a wrong type (expected: text or a list of parts)");
        }
    }
}
