package io.kvrouter.http.ingress;

import io.kvrouter.access.Caller;
import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
import io.kvrouter.http.accesslog.AccessEntry;
import io.kvrouter.http.answer.EarlyAnswer;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.Dialect;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.turn.TurnExchange;
import io.kvrouter.http.turn.TurnPorts;
import io.kvrouter.http.turn.TurnPorts.TurnMeter;
import io.kvrouter.http.upstream.UpstreamRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A request for a worker: waits until it is let in, reads the whole body, then runs the turn. The client may leave at any
 * moment.
 *
 * <p>A short body is read while its request waits at the door, since of a socket that nobody reads the end is not seen. A
 * long one is not: whoever is sent away should not have sent it.
 */
final class ForwardedExchange implements Exchange {
    private static final long SHORT = 64 * 1024;

    private final ActorSystem<?> system;
    private final IngressParts parts;
    private final Surface.Forwarded at;
    private final Caller caller;
    private final Optional<AccessEntry> entry;
    private final Ticket ticket;
    private final CompletionStage<HttpResponse> response;

    private @Nullable CompletionStage<ByteString> early; // until its request is let in
    private boolean reads;
    private @Nullable Exchange turn;
    private boolean gone;

    /** The request and its body are in no field, so that none of it is held while the answer streams. */
    private ForwardedExchange(
            ActorSystem<?> system, IngressParts parts, RequestHeaders headers, Surface.Forwarded forwarded) {
        this.system = system;
        this.parts = parts;
        this.at = forwarded;
        this.caller = headers.caller();
        this.entry = AccessEntry.of(headers.request());
        this.ticket = parts.turns().ticket(headers);
        String id = headers.requestId();
        this.response = admitted(headers)
                .thenCompose(body -> decode(headers, body))
                .thenCompose(body -> begin(headers, body))
                .exceptionally(this::refused)
                .thenApply(r -> r.addHeader(RawHeader.create(RequestHeaders.REQUEST_ID, id)));
    }

    static Exchange begin(
            ActorSystem<?> system, IngressParts parts, RequestHeaders headers, Surface.Forwarded forwarded) {
        return new ForwardedExchange(system, parts, headers, forwarded);
    }

    private Dialect dialect() {
        return at.dialect();
    }

    @Override
    public CompletionStage<HttpResponse> response() {
        return response;
    }

    @Override
    public synchronized void abort() {
        gone = true;
        if (turn == null) {
            parts.ports().desk().leave(ticket);
        } else {
            turn.abort();
        }
    }

    /** The body, once there is room for its request. */
    private CompletionStage<ByteString> admitted(RequestHeaders headers) {
        if (isShort(headers)) {
            early = body(headers);
        }
        CompletionStage<Optional<Shed>> entered = parts.ports().desk().enter(ticket);
        return entered.toCompletableFuture().isDone()
                ? entered.thenCompose(shed -> read(headers, shed))
                : entered.thenComposeAsync(
                        shed -> read(headers, shed), parts.ports().loop().get());
    }

    private static boolean isShort(RequestHeaders headers) {
        var entity = headers.request().entity();
        return entity instanceof HttpEntity.Strict
                || (entity.getContentLengthOption().orElse(Long.MAX_VALUE) <= SHORT
                        && headers.first("expect").isEmpty());
    }

    private CompletionStage<ByteString> read(RequestHeaders headers, Optional<Shed> shed) {
        if (shed.isPresent()) {
            return CompletableFuture.failedStage(new ApiException(TurnPorts.sentAway(shed.get())));
        }
        entry.ifPresent(AccessEntry::admitted);
        CompletionStage<ByteString> body = early != null ? early : body(headers);
        early = null;
        return body;
    }

    private CompletionStage<ByteString> body(RequestHeaders headers) {
        reads = true;
        return WholeBody.of(headers.request(), system);
    }

    private HttpResponse refused(Throwable failure) {
        parts.ports().desk().leave(ticket);
        HttpResponse answer = dialect().response(WholeBody.error(failure));
        return reads ? answer : EarlyAnswer.of(answer);
    }

    @Override
    public void over(Ended ended) {
        parts.quota().ended(caller);
    }

    /**
     * A body as it came, and as routing reads it. Each in one piece, whose bytes are had without a copy.
     *
     * @param plain without its compression
     */
    private record Body(ByteString sent, ByteString plain) {}

    private CompletionStage<Body> decode(RequestHeaders headers, ByteString came) {
        ByteString sent = came.compact();
        var coding = headers.first(ContentCoding.HEADER).filter(name -> at.json());
        return coding.isEmpty()
                ? CompletableFuture.completedStage(new Body(sent, sent))
                : CompletableFuture.supplyAsync( // what is short may become long
                        () -> new Body(sent, ContentCoding.plain(coding.get(), sent, parts.maxBody())),
                        system.executionContext());
    }

    private CompletionStage<HttpResponse> begin(RequestHeaders headers, Body body) {
        TurnReader.Read read =
                parts.turns().read(headers, at.operation(), body.plain().toArrayUnsafe(), ticket);
        return begin(
                headers, read, read.rewritten().map(ByteString::fromArrayUnsafe).orElse(body.sent()));
    }

    private synchronized CompletionStage<HttpResponse> begin(
            RequestHeaders headers, TurnReader.Read read, ByteString body) {
        if (gone) {
            return CompletableFuture.failedStage(new ApiException(ApiError.badGateway("client_gone")));
        }
        var request = headers.request();
        String method = request.method().value();
        String target = at.path()
                + request.getUri().rawQueryString().map(query -> "?" + query).orElse("");
        var forwarded = read.rewritten().isPresent() ? uncoded(headers.forwarded()) : headers.forwarded();
        entry.ifPresent(known -> known.turn(read.turn()));
        turn = TurnExchange.begin(
                system,
                parts.ports().metered(meter()),
                read.turn(),
                dialect(),
                base -> new UpstreamRequest(base, method, target, forwarded, body));
        return turn.response();
    }

    private TurnMeter meter() {
        TurnMeter charged = charged();
        return entry.map(known -> known.beside(charged)).orElse(charged);
    }

    private TurnMeter charged() {
        TurnMeter meter = parts.ports().meter();
        return parts.quota().countsTokens(caller) ? new ChargedTurns(caller, parts.quota(), meter) : meter;
    }

    /** A body that was rewritten goes without its compression. */
    private static List<Header> uncoded(List<Header> headers) {
        return headers.stream()
                .filter(header -> !header.is(ContentCoding.HEADER))
                .toList();
    }
}
