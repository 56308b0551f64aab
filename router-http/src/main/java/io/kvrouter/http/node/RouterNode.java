package io.kvrouter.http.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.cluster.membership.Joining;
import io.kvrouter.http.accesslog.AccessLog;
import io.kvrouter.http.management.ManagementServer;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Listening;
import io.kvrouter.http.settings.NodeSettings;
import io.kvrouter.http.tls.NodeTls;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;

/** One router process of the cluster: API, management and remoting, from configuration to termination. */
public final class RouterNode {
    private static final String SYSTEM = "kvrouter";

    private final ActorSystem<Void> system;
    private final int managementPort;
    private final Readiness readiness;
    private final CompletionStage<ApiPorts> api;

    private RouterNode(
            ActorSystem<Void> system, int managementPort, Readiness readiness, CompletionStage<ApiPorts> api) {
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
        var log = AccessLog.open(config);
        FreePorts.require(settings.ports());
        var models = NodeTokens.Loaded.load(settings.routing().tokens());
        var trust = NodeTrust.load(config, own.api().access());
        var readiness = new Readiness();
        ActorSystem<Void> system = system(config, settings, trust.tls());
        trust.start(system, settings.ports());
        var parts = new NodeParts(system, settings, own, models, trust);
        parts.metrics().tls(trust.tls()::notAfter);
        new Joining(system).join(settings.join().seeds(), settings.join().expectedNodes());
        readiness.becomes(() -> Optional.of(joining(system)));
        CompletionStage<ApiPorts> api = parts.ready(readiness).thenCompose(ready -> {
            parts.addStaticWorkers();
            Endpoint endpoint = logged(system, parts, readiness, log);
            return ApiPorts.bind(system, settings.ports(), trust.tls(), endpoint, own.server());
        });
        api.thenAccept(bound -> serving(bound, readiness, parts));
        var ports = settings.ports();
        var managed = new Listening(
                ports.managementHost(), ports.management(), trust.tls().management());
        return ManagementServer.bind(system, managed, parts.managementPorts(readiness::obstacle))
                .thenApply(bound -> new RouterNode(system, bound.localAddress().getPort(), readiness, api));
    }

    private static String joining(ActorSystem<Void> system) {
        return Cluster.get(system).selfMember().status().equals(MemberStatus.up())
                ? "it has not read all sessions yet, or hosts none"
                : "it has not joined the cluster yet";
    }

    private static void serving(ApiPorts bound, Readiness readiness, NodeParts parts) {
        readiness.becomes(() -> bound.lifecycle().ready() ? parts.clockObstacle() : Optional.of("it is leaving"));
        parts.metrics()
                .gauge(
                        "kvrouter_requests_in_flight",
                        "Requests whose answer was not handed over yet.",
                        bound.lifecycle()::inFlight);
    }

    private static Endpoint logged(
            ActorSystem<Void> system, NodeParts parts, Readiness readiness, Optional<AccessLog> log) {
        Endpoint api = parts.api(readiness);
        log.ifPresent(lines -> {
            lines.start(system);
            parts.metrics()
                    .counter(
                            "kvrouter_access_log_dropped_total",
                            "Lines that the access log had no room for, or could not write.",
                            lines::dropped);
        });
        String node = Cluster.get(system).selfMember().address().toString();
        return log.map(lines -> lines.around(api, node)).orElse(api);
    }

    private static ActorSystem<Void> system(Config config, NodeSettings settings, NodeTls tls) {
        Config own = ConfigFactory.parseMap(Map.of(
                "pekko.remote.artery.transport", tls.transport(),
                "pekko.remote.artery.canonical.hostname", settings.ports().host(),
                "pekko.remote.artery.canonical.port", settings.ports().remoting()));
        var setup = tls.remoting().withSetup(BootstrapSetup.create(own.withFallback(config)));
        return ActorSystem.create(Behaviors.empty(), SYSTEM, setup);
    }

    /** The API's port, once the node takes requests. */
    public CompletionStage<Integer> apiPort() {
        return api.thenApply(bound -> bound.api().port());
    }

    /** The port of the same API by HTTP/2; empty if there is none. */
    public CompletionStage<OptionalInt> http2Port() {
        return api.thenApply(ApiPorts::http2Port);
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
