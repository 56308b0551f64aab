package io.kvrouter.http.server;

import com.typesafe.config.Config;
import io.kvrouter.http.loop.LoopStreams;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.apache.pekko.stream.javadsl.Flow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bound API port. It leaves with the actor system's coordinated shutdown, in this order: not ready, accepting for
 * the grace time, unbound, running requests waited for, closed. The cluster is left after that.
 */
public final class ApiServer {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

    private final ServerBinding binding;
    private final Serving serving;

    private ApiServer(ServerBinding binding, Serving serving) {
        this.binding = binding;
        this.serving = serving;
    }

    /** Binds a port and serves it. */
    public static CompletionStage<ApiServer> bind(
            ClassicActorSystemProvider provider, Listening at, Endpoint endpoint, ApiServerSettings settings) {
        ActorSystem system = provider.classicSystem();
        Config config = system.settings().config();
        Serving serving = new Serving(endpoint, new ServerLifecycle(), settings);
        ServerSettings pekko = ServerSettings.create(
                        config.getConfig("kvrouter.api-server.overrides").withFallback(config))
                .withMaxConnections(settings.maxConnections() + Serving.REFUSED_AT_ONCE);
        Flow<HttpRequest, HttpResponse, ?> connection = Flow.fromGraph(new ConnectionStage(serving));
        return at.server(system)
                .withSettings(pekko)
                .withMaterializer(LoopStreams.of(system).materializer())
                .bindFlow(connection)
                .thenApply(bound -> new ApiServer(bound, serving).leavingWith(system));
    }

    private ApiServer leavingWith(ActorSystem system) {
        ServerLifecycle lifecycle = serving.lifecycle();
        ApiServerSettings settings = serving.settings();
        CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
        addTask(shutdown, CoordinatedShutdown.PhaseBeforeServiceUnbind(), () -> {
            lifecycle.lowerReadiness();
            LOG.info(
                    "leaving: not ready, accepting for {} ms more, {} requests run",
                    settings.grace().toMillis(),
                    lifecycle.inFlight());
            return lifecycle.afterGrace(settings.grace());
        });
        addTask(
                shutdown,
                CoordinatedShutdown.PhaseServiceUnbind(),
                () -> binding.unbind().whenComplete((done, failure) -> drain()));
        addTask(shutdown, CoordinatedShutdown.PhaseServiceRequestsDone(), () -> lifecycle.whenQuiet(settings.drain()));
        addTask(
                shutdown,
                CoordinatedShutdown.PhaseServiceStop(),
                () -> binding.terminate(Duration.ofSeconds(1)).thenApply(terminated -> Done.getInstance()));
        return this;
    }

    private void drain() {
        ServerLifecycle lifecycle = serving.lifecycle();
        lifecycle.drain();
        LOG.info(
                "leaving: refusing, waiting up to {} ms for {} requests",
                serving.settings().drain().toMillis(),
                lifecycle.inFlight());
    }

    private static void addTask(CoordinatedShutdown shutdown, String phase, Supplier<CompletionStage<Done>> task) {
        shutdown.addTask(phase, "api-server", task);
    }

    /** The port that was bound. */
    public int port() {
        return binding.localAddress().getPort();
    }

    /** Its readiness, and what is in flight. */
    public ServerLifecycle lifecycle() {
        return serving.lifecycle();
    }

    /** What other ports of the same API serve. */
    public Serving serving() {
        return serving;
    }
}
