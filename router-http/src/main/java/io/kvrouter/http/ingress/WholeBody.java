package io.kvrouter.http.ingress;

import io.kvrouter.http.loop.LoopStreams;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.Cause;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.scaladsl.model.EntityStreamException;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.stream.StreamTcpException;
import org.apache.pekko.util.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request's body that must be there before the request can be read. */
public final class WholeBody {
    private static final long TIMEOUT_MS = 60_000;
    private static final int READ_AT_ONCE = 16 * 1024;
    private static final int TOO_LARGE = 413;
    private static final int TIMED_OUT = 408;
    private static final Logger LOG = LoggerFactory.getLogger(WholeBody.class);

    private WholeBody() {}

    /**
     * It is collected on the event loop that its bytes come in by. What follows stays there for a short one, since handing
     * it to another thread costs more; for a longer one it goes elsewhere, because parsing and hashing it would hold up the
     * loop.
     */
    public static CompletionStage<ByteString> of(HttpRequest request, ActorSystem<?> system) {
        if (request.entity() instanceof HttpEntity.Strict whole
                && whole.getData().size() <= READ_AT_ONCE) {
            return CompletableFuture.completedStage(whole.getData());
        }
        var streams = LoopStreams.of(system);
        boolean brief = request.entity().getContentLengthOption().orElse(Long.MAX_VALUE) <= READ_AT_ONCE;
        return request.entity()
                .toStrict(TIMEOUT_MS, Long.MAX_VALUE, streams.materializer()) // the server has the limit
                .thenApplyAsync(HttpEntity.Strict::getData, brief ? streams.here() : system.executionContext());
    }

    /** What to answer when a body, or what was to be done with it, failed. */
    public static ApiError error(Throwable failure) {
        Throwable cause = Cause.of(failure);
        return switch (cause) {
            case ApiException known -> known.error();
            case EntityStreamSizeException tooLarge ->
                ApiError.refused(TOO_LARGE, "body_too_large", "The body is larger than this router takes.");
            case EntityStreamException broken -> brokenOff();
            case StreamTcpException reset -> brokenOff(); // nobody reads the answer, and nobody need act on it
            case TimeoutException late -> ApiError.refused(TIMED_OUT, "body_timeout", "The body did not come in time.");
            default -> {
                LOG.error("a request failed", cause);
                yield ApiError.internal();
            }
        };
    }

    private static ApiError brokenOff() {
        return ApiError.badRequest("The body broke off.");
    }
}
