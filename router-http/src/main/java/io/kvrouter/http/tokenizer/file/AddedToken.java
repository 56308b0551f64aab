package io.kvrouter.http.tokenizer.file;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A token that is found in a text before anything else is done with it.
 *
 * @param normalized it is found in the normalised text, after all those that are not
 * @param plain it takes exactly its own characters, wherever they stand
 */
public record AddedToken(String content, int id, boolean normalized, boolean plain) {
    public static AddedToken read(JsonNode json) {
        boolean plain = !json.path("single_word").asBoolean()
                && !json.path("lstrip").asBoolean()
                && !json.path("rstrip").asBoolean();
        return new AddedToken(
                json.path("content").asText(),
                json.path("id").asInt(),
                json.path("normalized").asBoolean(),
                plain);
    }

    /** With another id. */
    public AddedToken withId(int other) {
        return new AddedToken(content, other, normalized, plain);
    }

    /** With another text. */
    public AddedToken withContent(String other) {
        return new AddedToken(other, id, normalized, plain);
    }
}
