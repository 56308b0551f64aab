package io.kvrouter.http.node;

import io.kvrouter.http.h2.Http2Server;
import io.kvrouter.http.server.ApiServer;
import io.kvrouter.http.server.ApiServerSettings;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Listening;
import io.kvrouter.http.server.ServerLifecycle;
import io.kvrouter.http.settings.NodeSettings.Ports;
import io.kvrouter.http.tls.NodeTls;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * The ports that serve the API.
 *
 * @param http2 empty if it is not served by HTTP/2
 */
record ApiPorts(ApiServer api, Optional<Http2Server> http2) {
    /** Binds them, for one endpoint. */
    static CompletionStage<ApiPorts> bind(
            ActorSystem<?> system, Ports ports, NodeTls tls, Endpoint endpoint, ApiServerSettings settings) {
        var at = new Listening(ports.host(), ports.api(), tls.api());
        return ApiServer.bind(system, at, endpoint, settings).thenCompose(api -> withHttp2(system, ports, tls, api));
    }

    private static CompletionStage<ApiPorts> withHttp2(ActorSystem<?> system, Ports ports, NodeTls tls, ApiServer api) {
        if (ports.http2().isEmpty()) {
            return CompletableFuture.completedStage(new ApiPorts(api, Optional.empty()));
        }
        var at = new Listening(ports.host(), ports.http2().getAsInt(), tls.api());
        return Http2Server.bind(system, at, api.serving()).thenApply(bound -> new ApiPorts(api, Optional.of(bound)));
    }

    /** Of all of them. */
    ServerLifecycle lifecycle() {
        return api.lifecycle();
    }

    OptionalInt http2Port() {
        return http2.isPresent() ? OptionalInt.of(http2.get().port()) : OptionalInt.empty();
    }
}
