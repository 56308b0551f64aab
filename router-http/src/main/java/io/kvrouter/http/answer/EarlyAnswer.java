package io.kvrouter.http.answer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.ResponseEntity;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The answer to a request whose body is not wanted. Pekko closes the connection after it, and what the client has sent
 * meanwhile makes that a reset, which would take the answer away from a client that is still writing. So the answer is out
 * at once, but ends after a pause in which the client reads it; no more of the body is read.
 */
public final class EarlyAnswer {
    private static final Duration UNTIL_READ = Duration.ofSeconds(1);

    private EarlyAnswer() {}

    /** The same answer, given before the body. */
    public static HttpResponse of(HttpResponse response) {
        if (!(response.entity() instanceof HttpEntity.Strict whole)) {
            return response;
        }
        Source<ByteString, ?> body = Source.single(whole.getData())
                .concatLazy(Source.lazyCompletionStage(EarlyAnswer::pause))
                .filter(bytes -> !bytes.isEmpty());
        HttpEntity paused =
                HttpEntities.create(whole.getContentType(), whole.getData().size(), body);
        return response.withEntity((ResponseEntity) paused);
    }

    private static CompletionStage<ByteString> pause() {
        return new CompletableFuture<ByteString>()
                .completeOnTimeout(ByteString.emptyByteString(), UNTIL_READ.toMillis(), TimeUnit.MILLISECONDS);
    }
}
