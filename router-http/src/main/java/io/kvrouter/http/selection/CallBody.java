package io.kvrouter.http.selection;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A call's body, read in one pass: the prompt's tokens or hashes straight into arrays, a completion request's messages
 * not at all (who wants them has the bytes), and the rest as fields.
 */
final class CallBody {
    /** Hashes in one body: four million tokens in blocks of 16. */
    static final int MAX_HASHES = 1 << 18;

    private static final ObjectMapper MAPPER = new ObjectMapper(
            JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build());

    private final byte[] bytes;
    private final ObjectNode json = MAPPER.createObjectNode();
    private Optional<int[]> tokenIds = Optional.empty();
    private Optional<long[]> blockHashes = Optional.empty();
    private boolean completion;

    private CallBody(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Reads a body; an empty one has no fields.
     *
     * @throws ApiException 400 if it is no JSON object, or its tokens or hashes are none
     */
    static CallBody parse(byte[] bytes) {
        var body = new CallBody(bytes);
        if (bytes.length == 0) {
            return body;
        }
        try (JsonParser parser = MAPPER.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new ApiException(ApiError.badRequest("The body must be a JSON object."));
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                body.read(name, parser.nextToken(), parser);
            }
            if (parser.nextToken() != null) {
                throw new ApiException(ApiError.badRequest("The body must be one JSON object."));
            }
            return body;
        } catch (IOException e) {
            // Not the parser's message: it quotes the body.
            throw new ApiException(ApiError.badRequest("The body is not valid JSON."), e);
        }
    }

    private void read(String name, JsonToken value, JsonParser parser) throws IOException {
        if (value == JsonToken.VALUE_NULL) {
            return;
        }
        switch (name) {
            case "token_ids" -> tokenIds = Optional.of(tokens(value, parser));
            case "block_hashes" -> blockHashes = Optional.of(hashes(value, parser));
            case "messages", "prompt" -> {
                completion = true;
                parser.skipChildren();
            }
            case "tools" -> parser.skipChildren();
            default -> json.set(name, MAPPER.readTree(parser));
        }
    }

    private static int[] tokens(JsonToken value, JsonParser parser) throws IOException {
        var ids = new IntArrayList();
        if (value != JsonToken.START_ARRAY) {
            throw Fields.wrong("token_ids", "an array of token ids");
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
                    || parser.getNumberType() != JsonParser.NumberType.INT
                    || parser.getIntValue() < 0) {
                throw Fields.wrong("token_ids", "an array of token ids: whole numbers from 0 to " + Integer.MAX_VALUE);
            }
            ids.add(parser.getIntValue());
        }
        return ids.toArray();
    }

    private static long[] hashes(JsonToken value, JsonParser parser) throws IOException {
        var hashes = new LongArrayList();
        if (value != JsonToken.START_ARRAY) {
            throw Fields.wrong("block_hashes", "an array of hashes");
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (hashes.size() == MAX_HASHES) {
                throw Fields.wrong("block_hashes", "an array of at most " + MAX_HASHES + " hashes");
            }
            hashes.add(hash(parser));
        }
        return hashes.toArray();
    }

    /** Some write the 64 bits as a signed number, some as an unsigned one. */
    private static long hash(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            BigInteger number = parser.getBigIntegerValue();
            int bits = number.bitLength();
            if (bits < Long.SIZE || (bits == Long.SIZE && number.signum() > 0)) {
                return number.longValue();
            }
        }
        throw Fields.wrong("block_hashes", "an array of hashes: whole numbers of 64 bits");
    }

    Fields fields() {
        return new Fields(json);
    }

    Optional<int[]> tokenIds() {
        return tokenIds;
    }

    Optional<long[]> blockHashes() {
        return blockHashes;
    }

    /** It has messages, or a prompt, as a completion request has. */
    boolean isCompletion() {
        return completion;
    }

    /** The body as it came. */
    byte[] bytes() {
        return bytes;
    }

    /** A completion request for a text. */
    static byte[] completion(String model, String text, Optional<String> cacheSalt) {
        var request = MAPPER.createObjectNode().put("model", model).put("prompt", text);
        cacheSalt.ifPresent(salt -> request.put("cache_salt", salt));
        try {
            return MAPPER.writeValueAsBytes(request);
        } catch (IOException e) {
            throw new IllegalStateException("two texts make JSON", e);
        }
    }
}
