package io.kvrouter.http.server;

import org.apache.pekko.http.javadsl.model.HttpRequest;

/** What answers the requests of the API port. */
@FunctionalInterface
public interface Endpoint {
    /**
     * Begins to answer a request whose body may still be coming in. Called on an event loop: it must not block, and
     * anything long (parsing a big prompt, tokenizing) goes elsewhere.
     */
    Exchange begin(HttpRequest request);
}
