package io.kvrouter.http.turn;

import io.kvrouter.http.answer.Breakage;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.Cause;
import io.kvrouter.http.openai.Dialect;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.server.PassedOn;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One turn as an exchange with a client: placed, forwarded, and answered as its worker answered. */
public final class TurnExchange implements Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(TurnExchange.class);
    private static final int FIRST_ERROR = 400;
    private static final String EVENTS = "text/event-stream";
    private static final Duration UNTIL_READ = Duration.ofMillis(50);
    private static final ApiError BROKEN = ApiError.badGateway("stream_broken");

    private final ActorSystem<?> system;
    private final Dialect dialect;
    private final Hedge hedge;
    private final CompletionStage<HttpResponse> response;

    private TurnExchange(
            ActorSystem<?> system,
            TurnPorts ports,
            TurnRequest request,
            Dialect dialect,
            Function<URI, UpstreamRequest> forwarded) {
        this.system = system;
        this.dialect = dialect;
        this.hedge = new Hedge(system, ports, request, forwarded);
        this.response = hedge.answer().handle(this::answer);
    }

    /**
     * Starts the turn.
     *
     * @param dialect in which its client reads this router's own errors
     * @param forwarded the request to the worker at a base URL
     */
    public static Exchange begin(
            ActorSystem<?> system,
            TurnPorts ports,
            TurnRequest request,
            Dialect dialect,
            Function<URI, UpstreamRequest> forwarded) {
        return new TurnExchange(system, ports, request, dialect, forwarded);
    }

    @Override
    public CompletionStage<HttpResponse> response() {
        return response;
    }

    @Override
    public void abort() {
        hedge.abandon();
    }

    private HttpResponse answer(Attempts.Answered answered, Throwable failure) {
        if (failure != null) {
            hedge.end();
            return dialect.response(error(failure));
        }
        if (answered.turn().over()) {
            answered.call().abort();
        }
        try {
            HttpResponse response = passOn(answered.turn(), answered.placement(), answered.response());
            workerEnds(answered);
            return response;
        } catch (RuntimeException e) { // no answer by HTTP's rules: nobody else would end what the turn holds
            LOG.error("a worker's answer can't be passed on", e);
            hedge.end();
            return dialect.response(ApiError.badGateway("bad_response"));
        }
    }

    private HttpResponse passOn(RunningTurn turn, Placement placement, UpstreamResponse answer) {
        if (answer.status() < FIRST_ERROR) {
            turn.served();
        }
        return body(turn, answer).addHeaders(own(placement));
    }

    /** Its client may take as long as it likes to read what this router has by then. */
    private static void workerEnds(Attempts.Answered answered) {
        var unused = answered.call().ended().whenComplete((done, failure) -> {
            if (failure == null) {
                answered.turn().workerDone();
            } else {
                answered.turn().brokeOff(failure);
            }
        });
    }

    private HttpResponse body(RunningTurn turn, UpstreamResponse answer) {
        boolean events = isEvents(answer);
        if (answer.whole().isPresent() && !events) {
            TurnBody.passed(turn, answer.whole().get());
            return PassedOn.response(withoutOurs(answer));
        }
        var body = watched(turn, answer, events);
        if (answer.length().orElse(1) == 0) { // Pekko HTTP does not run an empty entity, and the turn ends with it
            body.runWith(Sink.ignore(), system);
        }
        return PassedOn.response(withoutOurs(answer), body);
    }

    /** Whether it is server-sent events that can be read, and added to: none that are compressed. */
    private static boolean isEvents(UpstreamResponse answer) {
        return answer.headers().stream().anyMatch(TurnExchange::namesEvents)
                && answer.headers().stream().noneMatch(TurnExchange::isCoded);
    }

    private static boolean namesEvents(Header header) {
        return header.is("content-type") && header.value().regionMatches(true, 0, EVENTS, 0, EVENTS.length());
    }

    private static boolean isCoded(Header header) {
        return header.is("content-encoding")
                && !header.value().isBlank()
                && !header.value().equalsIgnoreCase("identity");
    }

    /** When the worker breaks off, an event stream gets an error event before the connection is reset. */
    private Source<ByteString, NotUsed> watched(RunningTurn turn, UpstreamResponse answer, boolean events) {
        var body = answer.body().via(new TurnBody(turn, events));
        return events
                ? body.recoverWithRetries(
                        1, UpstreamException.class, () -> Breakage.after(dialect.event(BROKEN), UNTIL_READ, broken()))
                : body;
    }

    private static Throwable broken() {
        return new IllegalStateException("the worker's answer broke off");
    }

    /** What this router says of a request, it alone says: a worker behind another router has its own of them. */
    private static UpstreamResponse withoutOurs(UpstreamResponse answer) {
        var headers = answer.headers().stream()
                .filter(h -> !h.key().startsWith("x-router-") && !h.is("x-request-id"))
                .toList();
        return answer.with(headers);
    }

    private static List<HttpHeader> own(Placement placement) {
        List<HttpHeader> headers = new ArrayList<>();
        headers.add(RawHeader.create("x-router-worker", placement.worker().value()));
        headers.add(RawHeader.create("x-router-decision", placement.decision().header()));
        placement
                .overlapTokens()
                .ifPresent(tokens -> headers.add(RawHeader.create("x-router-overlap-tokens", Long.toString(tokens))));
        return headers;
    }

    private static ApiError error(Throwable failure) {
        Throwable cause = Cause.of(failure);
        if (cause instanceof ApiException known) {
            return known.error();
        }
        LOG.error("a turn failed", cause);
        return ApiError.internal();
    }
}
