package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.sim.api.ApiRequest.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads request bodies; everything wrong with one is {@link Refused}. */
public final class RequestReader {
    private static final int MAX_CHOICES = 128;

    private RequestReader() {}

    public static ApiRequest chat(byte[] body) {
        JsonNode root = Json.object(body);
        return request(root, true, List.of(chatTokens(root)));
    }

    public static ApiRequest completion(byte[] body) {
        JsonNode root = Json.object(body);
        return request(root, false, prompts(root.path("prompt")));
    }

    /** The tokens of a body for {@code /tokenize}: of its prompt, or of its messages. */
    public static TokenIds tokenize(byte[] body) {
        JsonNode root = Json.object(body);
        JsonNode prompt = root.path("prompt");
        return prompt.isTextual() ? TokenIds.ofText(prompt.textValue()) : chatTokens(root);
    }

    private static ApiRequest request(JsonNode root, boolean chat, List<TokenIds> prompts) {
        int samples = positive(root, "n").orElse(1);
        if ((long) samples * prompts.size() > MAX_CHOICES) {
            throw Refused.badRequest("n: too many choices (expected: at most " + MAX_CHOICES + ")");
        }
        OptionalInt length = positive(root, "max_completion_tokens");
        return new ApiRequest(
                chat,
                text(root, "model"),
                prompts,
                samples,
                length.isPresent() ? length : positive(root, "max_tokens"),
                text(root, "cache_salt"),
                delivery(root));
    }

    private static Delivery delivery(JsonNode root) {
        if (!root.path("stream").asBoolean(false)) {
            return Delivery.WHOLE;
        }
        boolean usage = root.path("stream_options").path("include_usage").asBoolean(false);
        return usage ? Delivery.STREAM_WITH_USAGE : Delivery.STREAM;
    }

    private static TokenIds chatTokens(JsonNode root) {
        JsonNode messages = root.path("messages");
        if (!messages.isArray() || messages.isEmpty()) {
            throw Refused.badRequest("messages: missing or empty (expected: a list of messages)");
        }
        boolean opensAnswer = root.path("add_generation_prompt").asBoolean(true);
        return TokenIds.ofText(PromptText.of(root.path("tools"), messages, opensAnswer));
    }

    private static List<TokenIds> prompts(JsonNode prompt) {
        if (prompt.isTextual()) {
            return List.of(notEmpty(TokenIds.ofText(prompt.textValue())));
        }
        if (!prompt.isArray() || prompt.isEmpty()) {
            throw Refused.badRequest("prompt: missing or empty (expected: text, token ids, or a list of either)");
        }
        if (prompt.get(0).isNumber()) {
            return List.of(ids(prompt));
        }
        var prompts = new ArrayList<TokenIds>();
        for (JsonNode one : prompt) {
            prompts.add(one.isTextual() ? notEmpty(TokenIds.ofText(one.textValue())) : ids(one));
        }
        return prompts;
    }

    private static TokenIds ids(JsonNode list) {
        int[] ids = new int[list.size()];
        for (int i = 0; i < ids.length; i++) {
            if (!list.get(i).canConvertToInt() || !list.get(i).isIntegralNumber()) {
                throw Refused.badRequest("prompt: not a token id (expected: an integer)");
            }
            ids[i] = list.get(i).intValue();
        }
        return notEmpty(TokenIds.of(ids));
    }

    private static TokenIds notEmpty(TokenIds tokens) {
        if (tokens.count() == 0) {
            throw Refused.badRequest("prompt: empty (expected: at least one token)");
        }
        return tokens;
    }

    private static String text(JsonNode root, String field) {
        JsonNode value = root.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isTextual()) {
            throw Refused.badRequest(field + ": of a wrong type (expected: text)");
        }
        return value.textValue();
    }

    private static OptionalInt positive(JsonNode root, String field) {
        JsonNode value = root.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return OptionalInt.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
            throw Refused.badRequest(field + ": " + value.asText() + " (expected: an integer >= 1)");
        }
        return OptionalInt.of(value.intValue());
    }
}
