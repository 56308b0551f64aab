package io.kvrouter.http.tokens.engine;

import com.carrotsearch.hppc.IntArrayList;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * What an engine answered to {@code /tokenize}.
 *
 * @param tokens the ids
 * @param counted it told how many: what vLLM and SGLang do, and llama.cpp does not
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EngineAnswer(int[] tokens, boolean counted) {
    private static final JsonFactory JSON = new JsonFactory();

    /** @throws IOException if it is no object with an array of ids */
    static EngineAnswer read(byte[] body) throws IOException {
        IntArrayList ids = null;
        boolean counted = false;
        try (JsonParser json = JSON.createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("no JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                if (name.equals("tokens")) {
                    ids = ids(json);
                } else {
                    counted |= name.equals("count");
                    json.skipChildren();
                }
            }
        }
        if (ids == null) {
            throw new IOException("no tokens");
        }
        return new EngineAnswer(ids.toArray(), counted);
    }

    private static IntArrayList ids(JsonParser json) throws IOException {
        IntArrayList ids = new IntArrayList();
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw new IOException("tokens are no array");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
                throw new IOException("a token is no id");
            }
            ids.add(json.getIntValue());
        }
        return ids;
    }
}
