package io.kvrouter.http.testing;

import io.kvrouter.http.answer.Breakage;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.server.PassedOn;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.Upstream;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** The simplest ingress: reads the request, asks one worker, passes the answer on. */
public final class Relay implements Endpoint {
    public static final String ERROR_EVENT = "data: {\"error\":{}}\n\n";

    private final Upstream upstream;
    private final URI worker;
    private final ActorSystem system;
    private final AtomicInteger aborts = new AtomicInteger();

    public Relay(Upstream upstream, URI worker, ActorSystem system) {
        this.upstream = upstream;
        this.worker = worker;
        this.system = system;
    }

    /** How many exchanges were aborted. */
    public int aborts() {
        return aborts.get();
    }

    @Override
    public Exchange begin(HttpRequest request) {
        return new Relayed(request);
    }

    private final class Relayed implements Exchange {
        private final CompletionStage<HttpResponse> response;
        private @Nullable Call call;
        private boolean aborted;

        Relayed(HttpRequest request) {
            response = request.entity()
                    .toStrict(Duration.ofSeconds(20).toMillis(), system)
                    .thenCompose(body -> ask(request, body))
                    .handle(Relayed::answer);
        }

        private synchronized CompletionStage<UpstreamResponse> ask(HttpRequest request, HttpEntity.Strict body) {
            Call started = upstream.call(new UpstreamRequest(
                    worker,
                    request.method().name(),
                    request.getUri().toRelative().toString(),
                    PassedOn.headers(request),
                    body.getData()));
            call = started;
            if (aborted) {
                started.abort();
            }
            return started.response();
        }

        private static HttpResponse answer(@Nullable UpstreamResponse answer, @Nullable Throwable failure) {
            if (answer != null) {
                return PassedOn.response(answer, answer.length().isPresent() ? answer.body() : mended(answer));
            }
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof UpstreamException upstreamFailed) {
                return HttpResponse.create()
                        .withStatus(StatusCodes.BAD_GATEWAY)
                        .withEntity(upstreamFailed.failure().name());
            }
            throw new CompletionException(cause);
        }

        private static Source<ByteString, NotUsed> mended(UpstreamResponse answer) {
            return answer.body()
                    .recoverWithRetries(
                            1,
                            UpstreamException.class,
                            () -> Breakage.after(
                                    ByteString.fromString(ERROR_EVENT),
                                    Duration.ofMillis(100),
                                    new IllegalStateException("broken")));
        }

        @Override
        public CompletionStage<HttpResponse> response() {
            return response;
        }

        @Override
        public synchronized void abort() {
            aborts.incrementAndGet();
            aborted = true;
            if (call != null) {
                call.abort();
            }
        }
    }
}
