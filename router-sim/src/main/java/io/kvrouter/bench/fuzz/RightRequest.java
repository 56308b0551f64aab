package io.kvrouter.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A request as a client would make it, before anything is done to it.
 *
 * @param body empty if it has none
 */
record RightRequest(String method, String path, List<Field> fields, String body) {
    private static final Field TYPE = new Field("content-type", "application/json");
    private static final List<Field> JSON = List.of(TYPE);
    private static final List<Field> SESSION =
            List.of(TYPE, new Field("x-session-id", "s1"), new Field("x-request-id", "abc"));
    private static final List<Field> KEY =
            List.of(TYPE, new Field("authorization", "Bearer x"), new Field("x-router-priority", "3"));

    /** Of each kind that is read in a way of its own. */
    static final List<RightRequest> ALL = List.of(
            post("/v1/completions", JSON, "{\"model\":\"m\",\"prompt\":\"x\",\"stream\":true}"),
            post("/v1/completions", SESSION, "{\"prompt\":[1,2,3],\"model\":\"m\",\"max_tokens\":5}"),
            post(
                    "/v1/chat/completions",
                    KEY,
                    "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"a\"},{\"role\":\"user\",\"content\":"
                            + "[{\"type\":\"text\",\"text\":\"b\u00e4\\u00e4\"}]}],\"tools\":[],\"session_id\":\"s2\"}"),
            post(
                    "/v1/chat/completions",
                    SESSION,
                    "{\"model\":\"m\",\"stream\":true,\"stream_options\":{\"include_usage\":false},\"messages\":[{\"role\":"
                            + "\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\"}]}]}"),
            post(
                    "/v1/messages",
                    SESSION,
                    "{\"model\":\"m\",\"max_tokens\":4,\"system\":[{\"type\":\"text\",\"text\":\"a\"}],\"messages\":[{\"role\":"
                            + "\"user\",\"content\":\"b\"}],\"metadata\":{\"user_id\":\"u\"},\"stream\":true}"),
            post("/v1/messages/count_tokens", JSON, "{\"model\":\"m\",\"messages\":[]}"),
            post(
                    "/v1/responses",
                    JSON,
                    "{\"model\":\"m\",\"instructions\":\"a\",\"input\":[{\"role\":\"user\",\"content\":[{\"type\":"
                            + "\"input_text\",\"text\":\"b\"}]}],\"prompt_cache_key\":\"s3\",\"stream\":false}"),
            post("/v1/embeddings", JSON, "{\"model\":\"m\",\"input\":[\"a\",\"b\"]}"),
            post("/v1/rerank", JSON, "{\"model\":\"m\",\"query\":\"a\",\"documents\":[\"b\",{\"text\":\"c\"}]}"),
            post("/v1/score", JSON, "{\"model\":\"m\",\"text_1\":\"a\",\"text_2\":[\"b\",\"c\"]}"),
            post("/tokenize", JSON, "{\"model\":\"m\",\"prompt\":\"a\"}"),
            get("GET", "/v1/models", List.of()),
            get("HEAD", "/v1/models/m?x=%20", List.of(new Field("accept", "*/*"))),
            get(
                    "OPTIONS",
                    "/v1/chat/completions/",
                    List.of(new Field("origin", "http://a"), new Field("access-control-request-method", "POST"))),
            get("GET", "/health", List.of(new Field("connection", "close"))));

    private static RightRequest post(String path, List<Field> fields, String body) {
        return new RightRequest("POST", path, fields, body);
    }

    private static RightRequest get(String method, String path, List<Field> fields) {
        return new RightRequest(method, path, fields, "");
    }

    /** A header, its name in lower case. */
    record Field(String name, String value) {}

    /** Of the body. */
    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }
}
