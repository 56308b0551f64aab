package io.kvrouter.http.server;

import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** An exchange around another, which goes on as that one does wherever this one does not say otherwise. */
public abstract class OuterExchange implements Exchange {
    private final Exchange inner;

    protected OuterExchange(Exchange inner) {
        this.inner = inner;
    }

    @Override
    public CompletionStage<HttpResponse> response() {
        return inner.response();
    }

    @Override
    public void abort() {
        inner.abort();
    }

    @Override
    public void over(Ended ended) {
        inner.over(ended);
    }
}
