package io.kvrouter.http.accesslog;

import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.server.OuterExchange;
import java.time.InstantSource;
import org.apache.pekko.http.javadsl.model.HttpRequest;

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

    private final class Logged extends OuterExchange {
        private final AccessEntry entry;

        Logged(AccessEntry entry, Exchange exchange) {
            super(exchange);
            this.entry = entry;
        }

        @Override
        public void over(Ended ended) {
            super.over(ended);
            log.add(new AccessLine(entry, node, ended, System.nanoTime() - entry.began()));
        }
    }
}
