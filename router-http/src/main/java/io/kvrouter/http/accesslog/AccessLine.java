package io.kvrouter.http.accesslog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.kvrouter.http.openai.Usage;
import io.kvrouter.http.server.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * A request that is over, as one line of JSON. docs/access-log.md says what each field is; all of them are in each line,
 * null where nothing is known. Whatever a client wrote is cut and escaped: a line is ASCII.
 *
 * <p>A line may wait for a disk that hangs, and thousands with it. So it copies what it tells, a few hundred bytes, and
 * keeps neither the request, whose body may be long, nor its answer.
 */
final class AccessLine {
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int MAX_TEXT = 256;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final double MICROS_PER_MILLI = 1_000;
    private static final String REST = "/v1/";
    private static final List<String> LONGER = List.of("/v1/chat/completions", "/v1/messages/count_tokens");

    private final Instant time;
    private final Optional<String> id;
    private final String caller;
    private final String method;
    private final String path;
    private final Optional<String> model;
    private final Optional<String> worker;
    private final Optional<String> decision;
    private final Optional<String> reason;
    private final String node;
    private final OptionalLong promptTokens;
    private final Usage usage;
    private final OptionalLong status;
    private final long bytes;
    private final OptionalLong queued;
    private final OptionalLong resolved;
    private final OptionalLong firstByte;
    private final long total;
    private final Exchange.End outcome;

    /**
     * The line of a request that is over now.
     *
     * @param total nanoseconds from its begin
     */
    AccessLine(AccessEntry entry, String node, Exchange.Ended ended, long total) {
        Optional<HttpResponse> head = ended.head();
        this.time = entry.time();
        this.id = entry.id().or(() -> header(head, "x-request-id")).map(AccessLine::cut);
        this.caller = cut(entry.caller());
        this.method = cut(entry.method());
        this.path = cut(place(entry.path()));
        this.model = entry.model().map(AccessLine::cut);
        this.worker = header(head, "x-router-worker");
        this.decision = header(head, "x-router-decision");
        this.reason = header(head, "x-router-reason");
        this.node = node;
        this.promptTokens = entry.promptTokens();
        this.usage = entry.usage();
        this.status = head.map(h -> OptionalLong.of(h.status().intValue())).orElse(OptionalLong.empty());
        this.bytes = ended.bytes();
        this.queued = entry.queued();
        this.resolved = entry.resolved();
        this.firstByte = since(entry.began(), ended.firstByteNanos());
        this.total = total;
        this.outcome = ended.how();
    }

    void write(OutputStream out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
            json.writeStartObject();
            json.writeStringField("time", time.toString());
            text(json, "id", id);
            json.writeStringField("caller", caller);
            json.writeStringField("method", method);
            json.writeStringField("path", path);
            text(json, "model", model);
            text(json, "worker", worker);
            text(json, "decision", decision);
            text(json, "reason", reason);
            json.writeStringField("node", node);
            number(json, "tokens_in", promptTokens);
            number(json, "tokens_cached", usage.cachedTokens());
            number(json, "tokens_out", usage.outputTokens());
            number(json, "status", status);
            json.writeNumberField("bytes", bytes);
            millis(json, "queue_ms", queued);
            millis(json, "resolve_ms", resolved);
            millis(json, "first_byte_ms", firstByte);
            millis(json, "total_ms", OptionalLong.of(total));
            json.writeStringField("outcome", outcome.name().toLowerCase(Locale.ROOT));
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

    private static Optional<String> header(Optional<HttpResponse> head, String name) {
        return head.flatMap(h -> h.getHeader(name)).map(HttpHeader::value).map(AccessLine::cut);
    }

    private static OptionalLong since(long began, OptionalLong at) {
        return at.isPresent() ? OptionalLong.of(at.getAsLong() - began) : at;
    }

    private static void text(JsonGenerator json, String field, Optional<String> value) throws IOException {
        @Nullable String text = value.orElse(null);
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
