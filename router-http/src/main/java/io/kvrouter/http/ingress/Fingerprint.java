package io.kvrouter.http.ingress;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What all turns of a conversation begin with, as a session id: a hash of the system messages and the first user
 * message. Two conversations that begin alike are one session by it. White space between JSON values does not count,
 * nor does a part's {@code cache_control}, which clients move from turn to turn.
 */
final class Fingerprint {
    private static final Set<String> SYSTEM = Set.of("system", "developer");
    private static final String USER = "user";
    private static final JsonFactory JSON = new JsonFactory();

    private record Message(String role, String contentHash) {}

    private Fingerprint() {}

    /**
     * The fingerprint of a chat; empty for what is none, for one without a user message, and for one of many megabytes.
     *
     * @param opening valid JSON: the system's text, where that is a field of its own, and the messages
     */
    static Optional<String> of(List<ByteBuffer> opening) {
        MessageDigest sha = sha256();
        try {
            for (ByteBuffer system : opening.subList(0, opening.size() - 1)) {
                try (JsonParser json = parser(system)) {
                    json.nextToken();
                    digest(json, sha);
                }
            }
            try (JsonParser json = parser(opening.getLast())) {
                return json.nextToken() == JsonToken.START_ARRAY ? ofMessages(json, sha) : Optional.empty();
            }
        } catch (IOException e) {
            return Optional.empty(); // a text that is longer than the parser holds
        }
    }

    private static JsonParser parser(ByteBuffer value) throws IOException {
        return JSON.createParser(value.array(), value.arrayOffset() + value.position(), value.remaining());
    }

    private static Optional<String> ofMessages(JsonParser json, MessageDigest sha) throws IOException {
        while (json.nextToken() == JsonToken.START_OBJECT) {
            Message message = message(json);
            if (SYSTEM.contains(message.role()) || message.role().equals(USER)) {
                sha.update(message.contentHash().getBytes(StandardCharsets.US_ASCII));
            }
            if (message.role().equals(USER)) {
                return Optional.of("fingerprint:" + HexFormat.of().formatHex(sha.digest()));
            }
        }
        return Optional.empty();
    }

    private static Message message(JsonParser json) throws IOException {
        String role = "";
        MessageDigest content = sha256();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            if (name.equals("role")) {
                role = String.valueOf(json.getText());
                json.skipChildren();
            } else if (name.equals("content")) {
                digest(json, content);
            } else {
                json.skipChildren();
            }
        }
        return new Message(role, HexFormat.of().formatHex(content.digest()));
    }

    /** The value that begins at the current token, token by token. */
    private static void digest(JsonParser json, MessageDigest sha) throws IOException {
        int depth = 0;
        do {
            if (json.currentToken() == JsonToken.FIELD_NAME
                    && json.currentName().equals("cache_control")) {
                json.nextToken();
                json.skipChildren();
                continue;
            }
            depth += json.currentToken().isStructStart() ? 1 : 0;
            depth -= json.currentToken().isStructEnd() ? 1 : 0;
            byte[] text = json.getText().getBytes(StandardCharsets.UTF_8);
            sha.update((byte) json.currentTokenId());
            sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, text.length));
            sha.update(text);
        } while (depth > 0 && json.nextToken() != null);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
