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
 * the grace time, unbound, running requests waited for, closed. The cluster is left after that. A node that the cluster
 * has downed waits for nothing where workers have a cap: others are given its part soon.
 */
public final class ApiServer {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

    /** Connections beyond the limit that are open for as long as it takes to refuse them. Then Pekko accepts no more. */
    private static final int REFUSED_AT_ONCE = 1_024;

    private static final int LEAST_CLOSE_MS = 50;
    private static final int MOST_CLOSE_MS = 1_000;

    private final ServerBinding binding;
    private final ServerLifecycle lifecycle;

    private ApiServer(ServerBinding binding, ServerLifecycle lifecycle) {
        this.binding = binding;
        this.lifecycle = lifecycle;
    }

    /** Binds a port and serves it. */
    public static CompletionStage<ApiServer> bind(
            ClassicActorSystemProvider provider, Listening at, Endpoint endpoint, ApiServerSettings settings) {
        ActorSystem system = provider.classicSystem();
        Config config = system.settings().config();
        ServerLifecycle lifecycle = new ServerLifecycle();
        ServerSettings pekko = ServerSettings.create(
                        config.getConfig("kvrouter.api-server.overrides").withFallback(config))
                .withMaxConnections(settings.maxConnections() + REFUSED_AT_ONCE);
        Flow<HttpRequest, HttpResponse, ?> connection =
                Flow.fromGraph(new ConnectionStage(endpoint, lifecycle, settings));
        return at.server(system)
                .withSettings(pekko)
                .withMaterializer(LoopStreams.of(system).materializer())
                .bindFlow(connection)
                .thenApply(bound -> new ApiServer(bound, lifecycle).leavingWith(system, settings));
    }

    private ApiServer leavingWith(ActorSystem system, ApiServerSettings settings) {
        CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
        Supplier<ApiServerSettings> leaving = () -> isDowned(shutdown) ? settings.downed() : settings;
        addTask(shutdown, CoordinatedShutdown.PhaseBeforeServiceUnbind(), () -> lastOnes(leaving.get()));
        addTask(
                shutdown,
                CoordinatedShutdown.PhaseServiceUnbind(),
                () -> binding.unbind().whenComplete((done, failure) -> drain(leaving.get())));
        addTask(
                shutdown,
                CoordinatedShutdown.PhaseServiceRequestsDone(),
                () -> lifecycle.whenQuiet(leaving.get().drain()));
        addTask(shutdown, CoordinatedShutdown.PhaseServiceStop(), () -> close(leaving.get()));
        return this;
    }

    private static boolean isDowned(CoordinatedShutdown shutdown) {
        return shutdown.getShutdownReason()
                .filter(CoordinatedShutdown.clusterDowningReason()::equals)
                .isPresent();
    }

    private CompletionStage<Done> lastOnes(ApiServerSettings settings) {
        lifecycle.lowerReadiness();
        LOG.info(
                "leaving: not ready, accepting for {} ms more, {} requests run",
                settings.grace().toMillis(),
                lifecycle.inFlight());
        return lifecycle.afterGrace(settings.grace());
    }

    private void drain(ApiServerSettings settings) {
        lifecycle.drain();
        LOG.info(
                "leaving: refusing, waiting up to {} ms for {} requests",
                settings.drain().toMillis(),
                lifecycle.inFlight());
    }

    private CompletionStage<Done> close(ApiServerSettings settings) {
        long deadline = Math.clamp(settings.drain().toMillis(), LEAST_CLOSE_MS, MOST_CLOSE_MS);
        return binding.terminate(Duration.ofMillis(deadline)).thenApply(terminated -> Done.getInstance());
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
        return lifecycle;
    }
}
