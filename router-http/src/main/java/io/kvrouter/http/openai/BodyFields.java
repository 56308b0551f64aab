package io.kvrouter.http.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** The fields of a body as they are read, one after the other; of equal names the last counts, as for engines. */
final class BodyFields {
    private static final Set<String> SYSTEM = Set.of("system", "instructions");

    private String model = "";
    private ByteBuffer modelWritten = ByteBuffer.allocate(0);
    private final Map<String, ByteBuffer> before = new HashMap<>();
    private Optional<ByteBuffer> content = Optional.empty();
    private Optional<String> cacheSalt = Optional.empty();
    private OptionalInt priority = OptionalInt.empty();
    private final Map<String, String> session = new TreeMap<>();
    private final byte[] body;
    private final Operation operation;
    private final Set<String> sessionPaths;

    BodyFields(byte[] body, Operation operation, Set<String> sessionPaths) {
        this.body = body;
        this.operation = operation;
        this.sessionPaths = sessionPaths;
    }

    void read(String name, JsonParser json) throws IOException {
        if (name.equals("model")) {
            model(json);
        } else if (name.equals("cache_salt")) {
            cacheSalt = optionalText(json, name);
        } else if (name.equals("priority")) {
            priority(json);
        } else if (operation.content().contains(name)) {
            content = Optional.of(slice(json));
        } else if (operation.before().contains(name)) {
            before.put(name, slice(json));
        } else {
            sessionField(name, json);
        }
    }

    private void model(JsonParser json) throws IOException {
        int start = (int) json.currentTokenLocation().getByteOffset();
        model = text(json, "model");
        modelWritten = ByteBuffer.wrap(body, start, (int) json.currentLocation().getByteOffset() - start);
    }

    /** Whatever else it may be is the worker's to judge. */
    private void priority(JsonParser json) throws IOException {
        priority =
                json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getNumberType() == JsonParser.NumberType.INT
                        ? OptionalInt.of(json.getIntValue())
                        : OptionalInt.empty();
        json.skipChildren();
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
        json.skipChildren();
        int end = json.currentToken() == JsonToken.VALUE_STRING
                ? behindText(start)
                : (int) json.currentLocation().getByteOffset();
        return ByteBuffer.wrap(body, start, end - start);
    }

    /**
     * The end of the text that begins there. The parser knows it only by making the text, of which it has a limit far below
     * a body's; here only the quote is looked for. What else is wrong with the text the parser says as it goes on.
     */
    private int behindText(int start) {
        int at = start + 1;
        while (at < body.length && body[at] != '"') {
            at += body[at] == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, body.length);
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
            json.skipChildren();
        }
    }

    private boolean leadsOn(String path) {
        String prefix = path + ".";
        return sessionPaths.stream().anyMatch(wanted -> wanted.startsWith(prefix));
    }

    CompletionBody complete() {
        if (model.isEmpty()) {
            throw new ApiException(ApiError.badRequest("The field 'model' is missing.", "model"));
        }
        if (content.isEmpty() && operation.work() == Operation.Work.GENERATES) {
            throw new ApiException(ApiError.badRequest(
                    "The body has no '" + String.join("' and no '", operation.content()) + "'.",
                    operation.content().getFirst()));
        }
        return asBody();
    }

    CompletionBody asBody() {
        List<ByteBuffer> prompt = new ArrayList<>();
        List<ByteBuffer> opening = new ArrayList<>();
        for (String name : operation.before()) {
            ByteBuffer part = before.get(name);
            if (part != null) {
                prompt.add(part);
            }
            if (part != null && SYSTEM.contains(name)) {
                opening.add(part);
            }
        }
        content.ifPresent(prompt::add);
        content.ifPresent(opening::add);
        return new CompletionBody(
                model,
                modelWritten,
                List.copyOf(prompt),
                List.copyOf(opening),
                Map.copyOf(session),
                cacheSalt,
                priority);
    }
}
