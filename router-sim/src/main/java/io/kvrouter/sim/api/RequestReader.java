package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.tokens.UntokenizableException;
import io.kvrouter.sim.api.ApiRequest.Delivery;
import io.kvrouter.sim.tokens.TokenIds;
import io.kvrouter.sim.tokens.WorkerTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads request bodies, with the tokens of one worker; everything wrong with one is {@link Refused}. */
public final class RequestReader {
    private static final int MAX_CHOICES = 128;

    private final WorkerTokens tokens;

    public RequestReader(WorkerTokens tokens) {
        this.tokens = tokens;
    }

    public ApiRequest chat(byte[] body) {
        JsonNode root = Json.object(body);
        return request(root, true, List.of(chatTokens(root)));
    }

    public ApiRequest completion(byte[] body) {
        JsonNode root = Json.object(body);
        return request(root, false, prompts(root));
    }

    /** The tokens of a body for {@code /tokenize}: of its prompt, or of its messages. */
    public TokenIds tokenize(byte[] body) {
        JsonNode root = Json.object(body);
        JsonNode prompt = root.path("prompt");
        return prompt.isTextual() ? text(prompt, root) : chatTokens(root);
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

    private TokenIds chatTokens(JsonNode root) {
        JsonNode messages = root.path("messages");
        if (!messages.isArray() || messages.isEmpty()) {
            throw Refused.badRequest("messages: missing or empty (expected: a list of messages)");
        }
        try {
            return tokens.ofChat(root);
        } catch (UntokenizableException e) {
            throw Refused.badRequest(e.reason());
        }
    }

    private List<TokenIds> prompts(JsonNode root) {
        JsonNode prompt = root.path("prompt");
        if (prompt.isTextual()) {
            return List.of(notEmpty(text(prompt, root)));
        }
        if (!prompt.isArray() || prompt.isEmpty()) {
            throw Refused.badRequest("prompt: missing or empty (expected: text, token ids, or a list of either)");
        }
        if (prompt.get(0).isNumber()) {
            return List.of(ids(prompt));
        }
        var prompts = new ArrayList<TokenIds>();
        for (JsonNode one : prompt) {
            prompts.add(one.isTextual() ? notEmpty(text(one, root)) : ids(one));
        }
        return prompts;
    }

    private TokenIds text(JsonNode prompt, JsonNode root) {
        try {
            return tokens.ofText(prompt.textValue(), root);
        } catch (UntokenizableException e) {
            throw Refused.badRequest(e.reason());
        }
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
