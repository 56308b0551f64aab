package io.kvrouter.http.accesslog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.kvrouter.http.server.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * A request that is over, as one line of JSON. docs/access-log.md says what each field is; all of them are in each line,
 * null where nothing is known. Whatever a client wrote is cut and escaped: a line is ASCII.
 */
record AccessLine(AccessEntry entry, String node, Exchange.Ended ended, long total) {
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int MAX_TEXT = 256;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final double MICROS_PER_MILLI = 1_000;
    private static final String REST = "/v1/";
    private static final List<String> LONGER = List.of("/v1/chat/completions", "/v1/messages/count_tokens");

    void write(OutputStream out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
            json.writeStartObject();
            json.writeStringField("time", entry.time().toString());
            text(json, "id", entry.id().or(() -> header("x-request-id")));
            text(json, "caller", Optional.of(entry.caller()));
            text(json, "method", Optional.of(entry.method()));
            text(json, "path", Optional.of(place(entry.path())));
            text(json, "model", entry.model());
            text(json, "worker", header("x-router-worker"));
            text(json, "decision", header("x-router-decision"));
            text(json, "reason", header("x-router-reason"));
            text(json, "node", Optional.of(node));
            number(json, "tokens_in", entry.promptTokens());
            number(json, "tokens_cached", entry.usage().cachedTokens());
            number(json, "tokens_out", entry.usage().outputTokens());
            number(json, "status", status());
            json.writeNumberField("bytes", ended.bytes());
            millis(json, "queue_ms", entry.queued());
            millis(json, "resolve_ms", entry.resolved());
            millis(json, "first_byte_ms", firstByte());
            millis(json, "total_ms", OptionalLong.of(total));
            json.writeStringField("outcome", ended.how().name().toLowerCase(Locale.ROOT));
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    /** A path without what may name a conversation, a file or a model. */
    private static String place(String path) {
        if (LONGER.contains(path)) {
            return path;
        }
        int from = path.startsWith(REST) ? REST.length() : 1;
        int end = path.indexOf('/', from);
        return end < 0 ? path : path.substring(0, end);
    }

    private Optional<String> header(String name) {
        return ended.head().flatMap(head -> head.getHeader(name)).map(HttpHeader::value);
    }

    private OptionalLong status() {
        return ended.head()
                .map(head -> OptionalLong.of(head.status().intValue()))
                .orElse(OptionalLong.empty());
    }

    private OptionalLong firstByte() {
        OptionalLong at = ended.firstByteNanos();
        return at.isPresent() ? OptionalLong.of(at.getAsLong() - entry.began()) : at;
    }

    private static void text(JsonGenerator json, String field, Optional<String> value) throws IOException {
        @Nullable String text = value.map(AccessLine::cut).orElse(null);
        json.writeStringField(field, text);
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    private static void number(JsonGenerator json, String field, OptionalLong value) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(field, value.getAsLong());
        } else {
            json.writeNullField(field);
        }
    }

    private static void millis(JsonGenerator json, String field, OptionalLong nanos) throws IOException {
        if (nanos.isPresent()) {
            json.writeNumberField(field, Math.round(nanos.getAsLong() / NANOS_PER_MICRO) / MICROS_PER_MILLI);
        } else {
            json.writeNullField(field);
        }
    }
}
