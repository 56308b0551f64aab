package io.kvrouter.http.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What routing reads of a request. The body itself stays the bytes that the client sent: they go to the worker as they
 * are.
 *
 * @param model model or adapter, as requested; empty if the body names none, and need not
 * @param modelWritten the model's name as it stands in the body, its quotes included
 * @param prompt the parts of the body that make the engine's prompt, in its order
 * @param opening those of them that say how a conversation began: the system's text, if it is a field of its own, and
 *     the messages
 * @param sessionFields fields of the body that may name a session, by their dotted path
 * @param cacheSalt separates KV caches of tenants
 * @param priority of engines that schedule by it, as in vLLM: the lower goes first
 */
public record CompletionBody(
        String model,
        ByteBuffer modelWritten,
        List<ByteBuffer> prompt,
        List<ByteBuffer> opening,
        Map<String, String> sessionFields,
        Optional<String> cacheSalt,
        OptionalInt priority) {
    private static final CompletionBody NOTHING = new CompletionBody(
            "", ByteBuffer.allocate(0), List.of(), List.of(), Map.of(), Optional.empty(), OptionalInt.empty());

    private static final int PIECE = 8_192;

    /** JSON between systems is UTF-8, without a byte order mark. */
    private static final JsonFactory JSON =
            JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

    /** Reads a chat or completion of which no field names a session. */
    public static CompletionBody parse(byte[] body) {
        return parse(body, Operation.CHAT_OR_COMPLETION, Set.of());
    }

    /**
     * Reads a body in one pass, without building a tree.
     *
     * @param operation what its fields mean
     * @param sessionPaths dotted paths of the fields that may name a session
     * @throws ApiException 400 if the body is no JSON object, or lacks what its operation needs: a model, a prompt
     */
    public static CompletionBody parse(byte[] body, Operation operation, Set<String> sessionPaths) {
        return read(body, operation, sessionPaths).complete();
    }

    /** Reads the model of a body that may be anything. */
    public static CompletionBody ofQuestion(byte[] body, Operation operation) {
        try {
            return body.length == 0 ? NOTHING : read(body, operation, Set.of()).asBody();
        } catch (ApiException e) {
            return NOTHING; // multipart, say: what is wrong with it, if anything, is the worker's to say
        }
    }

    /** The body with another model's name in place of its own; every other byte as it was. */
    public byte[] naming(String other, byte[] body) {
        byte[] name = JsonStringEncoder.getInstance().quoteAsUTF8(other);
        int from = modelWritten.position() + 1;
        int to = modelWritten.limit() - 1;
        var named = ByteBuffer.allocate(from + name.length + body.length - to);
        return named.put(body, 0, from)
                .put(name)
                .put(body, to, body.length - to)
                .array();
    }

    private static BodyFields read(byte[] body, Operation operation, Set<String> sessionPaths) {
        if (!isUtf8(body)) {
            throw new ApiException(ApiError.badRequest("The body is not valid UTF-8."));
        }
        try (JsonParser json = JSON.createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new ApiException(ApiError.badRequest("The body must be a JSON object."));
            }
            var fields = new BodyFields(body, operation, sessionPaths);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                fields.read(name, json);
            }
            if (json.nextToken() != null) {
                throw new ApiException(ApiError.badRequest("The body must be one JSON object."));
            }
            return fields;
        } catch (IOException e) {
            // Not the parser's message: it quotes the body.
            throw new ApiException(ApiError.badRequest("The body is not valid JSON."), e);
        }
    }

    /** The parser lets some of it pass in what it skips. Decoded piece by piece: a body may have megabytes. */
    private static boolean isUtf8(byte[] body) {
        var decoder = StandardCharsets.UTF_8.newDecoder();
        var bytes = ByteBuffer.wrap(body);
        var piece = CharBuffer.allocate(Math.min(PIECE, body.length + 1));
        CoderResult result;
        do {
            result = decoder.decode(bytes, piece.clear(), true);
        } while (result.isOverflow());
        return !result.isError();
    }
}
