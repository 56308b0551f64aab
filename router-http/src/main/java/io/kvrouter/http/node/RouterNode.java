package io.kvrouter.http.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.cluster.membership.Joining;
import io.kvrouter.http.management.ManagementServer;
import io.kvrouter.http.server.ApiServer;
import io.kvrouter.http.settings.NodeSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.management.javadsl.ReadinessCheckSetup;

/** One router process of the cluster: API, management and remoting, from configuration to termination. */
public final class RouterNode {
    private static final String SYSTEM = "kvrouter";

    private final ActorSystem<Void> system;
    private final int managementPort;
    private final Readiness readiness;
    private final CompletionStage<ApiServer> api;

    private RouterNode(
            ActorSystem<Void> system, int managementPort, Readiness readiness, CompletionStage<ApiServer> api) {
        this.system = system;
        this.managementPort = managementPort;
        this.readiness = readiness;
        this.api = api;
    }

    /**
     * Starts a node. The stage completes when its management port is open; it takes requests when {@link #apiPort()}
     * completes.
     *
     * @throws io.kvrouter.http.settings.SettingException a setting can't be used, or its port is taken
     */
    public static CompletionStage<RouterNode> start(Config config) {
        NodeSettings settings = NodeSettings.read(config);
        PartSettings own = PartSettings.read(config, settings.routing());
        FreePorts.require(settings.ports());
        var models = NodeTokens.Loaded.load(settings.routing().tokens());
        var access = NodeAccess.load(own.api().access(), System.getenv());
        var readiness = new Readiness();
        ActorSystem<Void> system = system(config, settings, readiness);
        access.start(system, settings.ports());
        var parts = new NodeParts(system, settings, own, models, access);
        new Joining(system).join(settings.join().seeds(), settings.join().expectedNodes());
        CompletionStage<ApiServer> api = parts.sessionsReady().thenCompose(ready -> {
            parts.addStaticWorkers();
            return ApiServer.bind(
                    system, settings.ports().host(), settings.ports().api(), parts.api(readiness), own.server());
        });
        api.thenAccept(bound -> {
            readiness.serving(() -> bound.lifecycle().ready() && parts.clockAgrees());
            parts.metrics()
                    .gauge(
                            "kvrouter_requests_in_flight",
                            "Requests whose answer was not handed over yet.",
                            bound.lifecycle()::inFlight);
        });
        return management(system, settings, parts)
                .thenApply(bound -> new RouterNode(system, bound.localAddress().getPort(), readiness, api));
    }

    private static CompletionStage<ServerBinding> management(
            ActorSystem<Void> system, NodeSettings settings, NodeParts parts) {
        var ports = settings.ports();
        return ManagementServer.bind(system, ports.managementHost(), ports.management(), parts.managementPorts());
    }

    private static ActorSystem<Void> system(Config config, NodeSettings settings, Readiness readiness) {
        Supplier<CompletionStage<Boolean>> ready = () -> CompletableFuture.completedFuture(readiness.getAsBoolean());
        Config own = ConfigFactory.parseMap(Map.of(
                "pekko.remote.artery.canonical.hostname", settings.ports().host(),
                "pekko.remote.artery.canonical.port", settings.ports().remoting()));
        var setup = ActorSystemSetup.create(
                BootstrapSetup.create(own.withFallback(config)), ReadinessCheckSetup.create(s -> List.of(ready)));
        return ActorSystem.create(Behaviors.empty(), SYSTEM, setup);
    }

    /** The API's port, once the node takes requests. */
    public CompletionStage<Integer> apiPort() {
        return api.thenApply(ApiServer::port);
    }

    public int managementPort() {
        return managementPort;
    }

    /** The address of remoting that was bound, as other nodes join it. */
    public String joinAddress() {
        var address = Cluster.get(system).selfMember().address();
        return address.getHost().orElse("") + ":" + address.getPort().orElse(0);
    }

    /** Whether the node takes requests: it is in the cluster, knows all sessions, and is not on its way out. */
    public boolean ready() {
        return readiness.getAsBoolean();
    }

    /** Leaves: stops taking requests, lets the running ones finish, leaves the cluster. */
    public CompletionStage<Done> stop() {
        return CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.unknownReason());
    }

    /** Whether it is on its way out for another reason than the end of its process. */
    public boolean leavesByItself() {
        return CoordinatedShutdown.get(system)
                .getShutdownReason()
                .filter(reason -> !reason.equals(CoordinatedShutdown.jvmExitReason()))
                .isPresent();
    }

    /** Completed when the node is gone, for whatever reason. */
    public CompletionStage<Done> terminated() {
        return system.getWhenTerminated();
    }
}
