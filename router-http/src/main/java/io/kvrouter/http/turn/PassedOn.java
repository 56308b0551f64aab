package io.kvrouter.http.turn;

import io.kvrouter.http.header.VerbatimHeader;
import io.kvrouter.http.upstream.UpstreamResponse;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.ResponseEntity;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** A worker's answer as Pekko HTTP's: status, headers and bytes as they came. */
final class PassedOn {
    private static final int FIRST_ERROR = 400;

    private PassedOn() {}

    static HttpResponse response(
            UpstreamResponse answer, Source<ByteString, NotUsed> body, ClassicActorSystemProvider system) {
        return HttpResponse.create()
                .withStatus(status(answer))
                .withHeaders(answer.headers().stream()
                        .filter(header -> !isOurs(header.key()))
                        .<HttpHeader>map(VerbatimHeader::new)
                        .toList())
                .withEntity(entity(answer, body, system));
    }

    /** What this router says of a request, it alone says: a worker behind another router has its own of them. */
    private static boolean isOurs(String header) {
        return header.startsWith("x-router-") || header.equals("x-request-id");
    }

    /** The worker's Content-Type is among the headers, spelled as it came, so the entity has none of its own. */
    private static ResponseEntity entity(
            UpstreamResponse answer, Source<ByteString, NotUsed> body, ClassicActorSystemProvider system) {
        if (answer.length().isEmpty()) {
            return HttpEntities.createChunked(ContentTypes.NO_CONTENT_TYPE, body);
        }
        long length = answer.length().getAsLong();
        if (length == 0) { // Pekko HTTP has no streamed entity of that length; the body still has an end to see
            body.runWith(org.apache.pekko.stream.javadsl.Sink.ignore(), system);
            return HttpEntities.EMPTY;
        }
        return HttpEntities.create(ContentTypes.NO_CONTENT_TYPE, length, body);
    }

    private static StatusCode status(UpstreamResponse answer) {
        int code = answer.status();
        return StatusCodes.lookup(code)
                .orElseGet(() -> StatusCodes.custom(
                        code, answer.reason(), answer.reason(), code < FIRST_ERROR, code != 204 && code != 304));
    }
}
