package io.kvrouter.http.server;

import com.typesafe.config.Config;
import io.kvrouter.http.loop.LoopStreams;
import io.kvrouter.http.server.ApiServerSettings.Leaving;
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

    private static final int LEAST_CLOSE_MS = 50;
    private static final int MOST_CLOSE_MS = 1_000;

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
        Leaving settings = serving.settings().leaving();
        CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
        Supplier<Leaving> leaving = () -> isDowned(shutdown) ? settings.downed() : settings;
        addTask(shutdown, CoordinatedShutdown.PhaseBeforeServiceUnbind(), () -> lastOnes(leaving.get()));
        addTask(
                shutdown,
                CoordinatedShutdown.PhaseServiceUnbind(),
                () -> binding.unbind().whenComplete((done, failure) -> drain(leaving.get())));
        addTask(
                shutdown,
                CoordinatedShutdown.PhaseServiceRequestsDone(),
                () -> serving.lifecycle().whenQuiet(leaving.get().drain()));
        addTask(shutdown, CoordinatedShutdown.PhaseServiceStop(), () -> close(leaving.get()));
        return this;
    }

    private static boolean isDowned(CoordinatedShutdown shutdown) {
        return shutdown.getShutdownReason()
                .filter(CoordinatedShutdown.clusterDowningReason()::equals)
                .isPresent();
    }

    private CompletionStage<Done> lastOnes(Leaving leaving) {
        ServerLifecycle lifecycle = serving.lifecycle();
        lifecycle.lowerReadiness();
        LOG.info(
                "leaving: not ready, accepting for {} ms more, {} requests run",
                leaving.grace().toMillis(),
                lifecycle.inFlight());
        return lifecycle.afterGrace(leaving.grace());
    }

    private void drain(Leaving leaving) {
        ServerLifecycle lifecycle = serving.lifecycle();
        lifecycle.drain();
        LOG.info(
                "leaving: refusing, waiting up to {} ms for {} requests",
                leaving.drain().toMillis(),
                lifecycle.inFlight());
    }

    private CompletionStage<Done> close(Leaving leaving) {
        long deadline = Math.clamp(leaving.drain().toMillis(), LEAST_CLOSE_MS, MOST_CLOSE_MS);
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
        return serving.lifecycle();
    }

    /** What other ports of the same API serve. */
    public Serving serving() {
        return serving;
    }
}
