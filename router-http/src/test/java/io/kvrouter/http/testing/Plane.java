package io.kvrouter.http.testing;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.http.h2.Http2Server;
import io.kvrouter.http.loop.EventLoops;
import io.kvrouter.http.server.ApiServer;
import io.kvrouter.http.server.ApiServerSettings;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Listening;
import io.kvrouter.http.upstream.UpstreamSettings;
import io.kvrouter.http.upstream.netty.NettyUpstream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;

/** An actor system with the data plane as the product configures it. */
public final class Plane implements AutoCloseable {
    private static final String QUIET = """
            pekko.loglevel = OFF
            pekko.stdout-loglevel = OFF
            pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
            kvrouter-loops.loops = 2
            """;

    private final ActorSystem system;
    private final NettyUpstream upstream;

    public Plane() {
        this("");
    }

    public Plane(String overrides) {
        this(overrides, TestAuthority.platform());
    }

    /** @param tls by which it speaks to workers */
    public Plane(String overrides, SSLContext tls) {
        Config config = ConfigFactory.parseString(overrides)
                .withFallback(ConfigFactory.parseString(QUIET))
                .withFallback(ConfigFactory.parseResources("kvrouter-http-overrides.conf"))
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
        system = ActorSystem.create("plane", config);
        upstream = NettyUpstream.create(UpstreamSettings.from(config), EventLoops.of(system), tls);
    }

    public ActorSystem system() {
        return system;
    }

    public NettyUpstream upstream() {
        return upstream;
    }

    public ApiServer serve(Endpoint endpoint) throws Exception {
        return serve(endpoint, Optional.empty());
    }

    public ApiServer serve(Endpoint endpoint, Optional<Supplier<SSLEngine>> tls) throws Exception {
        Config config = system.settings().config();
        return ApiServer.bind(system, new Listening("127.0.0.1", 0, tls), endpoint, ApiServerSettings.from(config))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    /** The HTTP/2 port of a server. */
    public Http2Server serveHttp2(ApiServer server) throws Exception {
        return serveHttp2(server, Optional.empty());
    }

    public Http2Server serveHttp2(ApiServer server, Optional<Supplier<SSLEngine>> tls) throws Exception {
        return Http2Server.bind(system, new Listening("127.0.0.1", 0, tls), server.serving())
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    /** A server that relays everything to a worker. */
    public ApiServer relay(MockWorker worker) throws Exception {
        return serve(new Relay(upstream, worker.url(), system));
    }

    public void shutDown() {
        shutDown(CoordinatedShutdown.unknownReason());
    }

    public void shutDown(CoordinatedShutdown.Reason reason) {
        CoordinatedShutdown.get(system).runAll(reason);
    }

    @Override
    public void close() {
        upstream.close();
        system.terminate();
        system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }
}
