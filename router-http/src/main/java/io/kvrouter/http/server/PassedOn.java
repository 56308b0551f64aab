package io.kvrouter.http.server;

import io.kvrouter.http.header.EndToEndHeaders;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.header.VerbatimHeader;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.ResponseEntity;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** Messages as they pass the router: the same status, headers and framing on the other side. */
public final class PassedOn {
    private static final int RESET_CONTENT = 205;

    private PassedOn() {}

    /** The end-to-end headers of a client's request, its content type among them. */
    public static List<Header> headers(HttpRequest request) {
        List<Header> headers = new ArrayList<>();
        for (HttpHeader header : request.getHeaders()) {
            if (header.renderInRequests()) {
                headers.add(new Header(header.name(), asBytes(header.value())));
            }
        }
        if (!request.entity().getContentType().equals(ContentTypes.NO_CONTENT_TYPE)) {
            headers.add(
                    new Header("Content-Type", request.entity().getContentType().toString()));
        }
        return EndToEndHeaders.of(headers);
    }

    /** The server reads header bytes as UTF-8; towards the worker a character stands for a byte. */
    private static String asBytes(String value) {
        return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** A worker's answer with its own body. */
    public static HttpResponse response(UpstreamResponse answer) {
        ResponseEntity entity = answer.whole()
                .<ResponseEntity>map(bytes -> HttpEntities.create(ContentTypes.NO_CONTENT_TYPE, bytes))
                .orElseGet(() -> entity(answer.length(), answer.body()));
        return response(answer, entity);
    }

    /**
     * A worker's answer with a body that was watched or mended on its way; a stated length must still be true. Date is
     * the router's own.
     */
    public static HttpResponse response(UpstreamResponse answer, Source<ByteString, ?> body) {
        return response(answer, entity(answer.length(), body));
    }

    private static HttpResponse response(UpstreamResponse answer, ResponseEntity entity) {
        List<HttpHeader> headers = new ArrayList<>(answer.headers().size());
        for (Header header : answer.headers()) {
            if (!header.is("date")) {
                headers.add(new VerbatimHeader(header));
            }
        }
        return HttpResponse.create()
                .withStatus(status(answer))
                .withHeaders(headers)
                .withEntity(entity);
    }

    /** Pekko's own 205 goes without a length, and clients that keep its connection wait for a body: this one says 0. */
    private static StatusCode status(UpstreamResponse answer) {
        int status = answer.status();
        return StatusCodes.lookup(status)
                .filter(known -> status != RESET_CONTENT && known.reason().equals(answer.reason()))
                .orElseGet(() -> StatusCodes.custom(
                        status, answer.reason(), answer.reason(), status < 400, status != 204 && status != 304));
    }

    /** Without a content type of its own: the worker's header is among the others, letter by letter. */
    private static ResponseEntity entity(OptionalLong length, Source<ByteString, ?> body) {
        if (length.isEmpty()) {
            return HttpEntities.createChunked(ContentTypes.NO_CONTENT_TYPE, body);
        }
        return length.getAsLong() == 0
                ? HttpEntities.create(ContentTypes.NO_CONTENT_TYPE, ByteString.emptyByteString())
                : HttpEntities.create(ContentTypes.NO_CONTENT_TYPE, length.getAsLong(), body);
    }
}
