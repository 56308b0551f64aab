package io.kvrouter.sim.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.sim.api.Json;
import io.netty.handler.codec.http.HttpHeaders;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One completion request as it came in, and what became of it; for tests of what a router sends. */
final class LoggedRequest {
    /** How a request ended, if it has. */
    enum Outcome {
        RUNNING,
        /** Answered whole with success. */
        FINISHED,
        /** The client closed or reset its connection first. */
        CLIENT_GONE,
        /** Answered with an error, or cut off by this side. */
        FAILED
    }

    private static final List<String> HEADERS =
            List.of("x-request-id", "x-session-id", "x-data-parallel-rank", "traceparent");

    private final long arrivalMs;
    private final String path;
    private final Map<String, String> headers = new TreeMap<>();
    private final String bodySha256;
    private final int bodyBytes;
    private String model = "";
    private int promptTokens;
    private int cachedTokens;
    private int rank;
    private Outcome outcome = Outcome.RUNNING;
    private int status;
    private long endedMs;

    LoggedRequest(long arrivalMs, String path, HttpHeaders requestHeaders, byte[] body) {
        this.arrivalMs = arrivalMs;
        this.path = path;
        this.bodySha256 = sha256(body);
        this.bodyBytes = body.length;
        for (String name : HEADERS) {
            String value = requestHeaders.get(name);
            if (value != null) {
                headers.put(name, value);
            }
        }
    }

    void asked(String ofModel, int tokens) {
        model = ofModel;
        promptTokens = tokens;
    }

    void servedBy(int byRank) {
        rank = byRank;
    }

    void foundCached(int tokens) {
        cachedTokens += tokens;
    }

    void answered(int withStatus) {
        status = withStatus;
    }

    void ended(Outcome how, long atMs) {
        if (outcome == Outcome.RUNNING) {
            outcome = how;
            endedMs = atMs;
        }
    }

    JsonNode json() {
        ObjectNode json = Json.object()
                .put("arrival_ms", arrivalMs)
                .put("path", path)
                .put("model", model)
                .put("prompt_tokens", promptTokens)
                .put("cached_tokens", cachedTokens)
                .put("rank", rank);
        ObjectNode names = json.putObject("headers");
        headers.forEach(names::put);
        json.put("body_sha256", bodySha256).put("body_bytes", bodyBytes);
        json.put("outcome", outcome.name().toLowerCase(Locale.ROOT));
        return outcome == Outcome.RUNNING
                ? json.put("status", status).putNull("ended_ms")
                : json.put("status", status).put("ended_ms", endedMs);
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
