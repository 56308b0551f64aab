package io.kvrouter.http.h2;

import io.kvrouter.http.server.Exchange;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** An exchange that reads nothing and never answers. */
final class Waiting implements Exchange {
    @Override
    public CompletionStage<HttpResponse> response() {
        return new CompletableFuture<>();
    }

    @Override
    public void abort() {
        // nothing is held
    }
}
