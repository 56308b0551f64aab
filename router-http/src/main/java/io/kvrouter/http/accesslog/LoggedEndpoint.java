package io.kvrouter.http.accesslog;

import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Exchange;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** An API whose requests leave a line each in the access log, when they are over. */
final class LoggedEndpoint implements Endpoint {
    private final Endpoint api;
    private final String node;
    private final AccessLog log;
    private final InstantSource clock;

    LoggedEndpoint(Endpoint api, String node, AccessLog log, InstantSource clock) {
        this.api = api;
        this.node = node;
        this.log = log;
        this.clock = clock;
    }

    @Override
    public Exchange begin(HttpRequest request) {
        var entry = new AccessEntry(request, clock.instant());
        return new Logged(entry, api.begin(entry.on(request)));
    }

    private final class Logged implements Exchange {
        private final AccessEntry entry;
        private final Exchange exchange;

        Logged(AccessEntry entry, Exchange exchange) {
            this.entry = entry;
            this.exchange = exchange;
        }

        @Override
        public CompletionStage<HttpResponse> response() {
            return exchange.response();
        }

        @Override
        public void abort() {
            exchange.abort();
        }

        @Override
        public void over(Ended ended) {
            exchange.over(ended);
            log.add(new AccessLine(entry, node, ended, System.nanoTime() - entry.began()));
        }
    }
}
