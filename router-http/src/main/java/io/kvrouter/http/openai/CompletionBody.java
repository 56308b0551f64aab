package io.kvrouter.http.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What routing reads of a completion request. The body itself stays the bytes that the client sent: they go to the
 * worker as they are.
 *
 * @param model model or adapter, as requested
 * @param stream the answer comes as server-sent events
 * @param prompt the parts of the body that make the engine's prompt: tools first, then messages or prompt
 * @param sessionFields fields of the body that may name a session, by their dotted path
 * @param cacheSalt separates KV caches of tenants
 */
public record CompletionBody(
        String model,
        boolean stream,
        List<ByteBuffer> prompt,
        Map<String, String> sessionFields,
        Optional<String> cacheSalt) {

    private static final int PIECE = 8_192;

    /** JSON between systems is UTF-8, without a byte order mark. */
    private static final JsonFactory JSON =
            JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

    /** Reads a body of which no field names a session. */
    public static CompletionBody parse(byte[] body) {
        return parse(body, Set.of());
    }

    /**
     * Reads a body in one pass, without building a tree.
     *
     * @param sessionPaths dotted paths of the fields that may name a session
     * @throws ApiException 400 if the body is no JSON object, names no model, or has no messages and no prompt
     */
    public static CompletionBody parse(byte[] body, Set<String> sessionPaths) {
        if (!isUtf8(body)) {
            throw new ApiException(ApiError.badRequest("The body is not valid UTF-8."));
        }
        try (JsonParser json = JSON.createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new ApiException(ApiError.badRequest("The body must be a JSON object."));
            }
            var fields = new Fields(body, sessionPaths);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                fields.read(name, json);
            }
            if (json.nextToken() != null) {
                throw new ApiException(ApiError.badRequest("The body must be one JSON object."));
            }
            return fields.asBody();
        } catch (IOException e) {
            // Not the parser's message: it quotes the body.
            throw new ApiException(ApiError.badRequest("The body is not valid JSON."), e);
        }
    }

    /** The parser lets some of it pass in what it skips. Decoded piece by piece: a body may have megabytes. */
    private static boolean isUtf8(byte[] body) {
        var decoder = StandardCharsets.UTF_8.newDecoder();
        var bytes = ByteBuffer.wrap(body);
        var piece = CharBuffer.allocate(PIECE);
        CoderResult result;
        do {
            result = decoder.decode(bytes, piece.clear(), true);
        } while (result.isOverflow());
        return !result.isError();
    }

    private static final class Fields {
        private String model = "";
        private boolean stream;
        private Optional<ByteBuffer> tools = Optional.empty();
        private Optional<ByteBuffer> prompt = Optional.empty();
        private Optional<String> cacheSalt = Optional.empty();
        private final Map<String, String> session = new TreeMap<>();
        private final byte[] body;
        private final Set<String> sessionPaths;

        Fields(byte[] body, Set<String> sessionPaths) {
            this.body = body;
            this.sessionPaths = sessionPaths;
        }

        void read(String name, JsonParser json) throws IOException {
            switch (name) {
                case "model" -> model = text(json, "model");
                case "stream" -> stream = json.currentToken() == JsonToken.VALUE_TRUE;
                case "tools" -> tools = Optional.of(slice(json));
                case "messages", "prompt" -> prompt = Optional.of(slice(json));
                case "cache_salt" -> cacheSalt = optionalText(json, name);
                default -> sessionField(name, json);
            }
        }

        private static String text(JsonParser json, String name) throws IOException {
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                throw new ApiException(ApiError.badRequest("The field '" + name + "' must be a string.", name));
            }
            return json.getText();
        }

        /** Clients write null for what they leave out. */
        private static Optional<String> optionalText(JsonParser json, String name) throws IOException {
            return json.currentToken() == JsonToken.VALUE_NULL ? Optional.empty() : Optional.of(text(json, name));
        }

        private ByteBuffer slice(JsonParser json) throws IOException {
            int start = (int) json.currentTokenLocation().getByteOffset();
            skip(json);
            return ByteBuffer.wrap(body, start, (int) json.currentLocation().getByteOffset() - start);
        }

        private static void skip(JsonParser json) throws IOException {
            json.skipChildren();
            json.finishToken();
        }

        /** A field that is a text, at the path or below it; whatever else is there names no session. */
        private void sessionField(String path, JsonParser json) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_STRING && sessionPaths.contains(path)) {
                session.put(path, json.getText());
            } else if (json.currentToken() == JsonToken.START_OBJECT && leadsOn(path)) {
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String inner = path + "." + json.currentName();
                    json.nextToken();
                    sessionField(inner, json);
                }
            } else {
                skip(json);
            }
        }

        private boolean leadsOn(String path) {
            String prefix = path + ".";
            return sessionPaths.stream().anyMatch(wanted -> wanted.startsWith(prefix));
        }

        CompletionBody asBody() {
            if (model.isEmpty()) {
                throw new ApiException(ApiError.badRequest("The field 'model' is missing.", "model"));
            }
            ByteBuffer text = prompt.orElseThrow(() ->
                    new ApiException(ApiError.badRequest("The body has neither 'messages' nor 'prompt'.", "messages")));
            List<ByteBuffer> parts = new ArrayList<>();
            tools.ifPresent(parts::add);
            parts.add(text);
            return new CompletionBody(model, stream, List.copyOf(parts), Map.copyOf(session), cacheSalt);
        }
    }
}
