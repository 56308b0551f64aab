package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.cluster.binding.BindingSettings;
import io.kvrouter.cluster.load.LoadSettings;
import io.kvrouter.cluster.membership.HostAndPort;
import io.kvrouter.failover.RetrySettings;
import io.kvrouter.http.engine.HealthSettings;
import io.kvrouter.http.server.ApiServerSettings;
import io.kvrouter.http.upstream.UpstreamSettings;
import io.kvrouter.selection.SelectionSettings;
import io.kvrouter.worker.WorkerUrl;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** All settings of a node that are ours; Pekko reads its own from the same configuration. */
public record NodeSettings(
        Ports ports,
        Join join,
        List<URI> workers,
        SessionSettings sessions,
        HealthSettings health,
        Probing probing,
        Routing routing) {

    /**
     * Where the node listens.
     *
     * @param host address of the API and of remoting
     * @param api OpenAI API; 0 = any free port, as for the others
     * @param http2 the same API by HTTP/2; empty = not
     * @param managementHost address of the management API, loopback unless configured
     */
    public record Ports(String host, int api, OptionalInt http2, String managementHost, int management, int remoting) {}

    /**
     * How the node finds the cluster.
     *
     * @param seeds the list that every node gets; empty = single node
     * @param expectedNodes addresses that a single DNS name must resolve to; 0 = the seeds are a list
     */
    public record Join(List<HostAndPort> seeds, int expectedNodes) {
        /** Nodes that the cluster has when all of them run. */
        public int nodes() {
            return Math.max(1, expectedNodes > 0 ? expectedNodes : seeds.size());
        }
    }

    /** How engines are asked. */
    public record Probing(Duration timeout, String healthPath) {}

    /**
     * How requests are routed.
     *
     * @param selection how a worker is selected
     * @param recentChoices how long without use this node's own choices tell what a worker has cached
     * @param retries when a request that a worker did not take may try another one
     * @param decisionBudget how long one turn waits for its session's actor, over all asks
     * @param tokens how prompts become tokens
     * @param countOutput whether tokens of answers are booked as they stream
     * @param admission how many requests may run, and wait
     */
    public record Routing(
            SelectionSettings selection,
            Duration recentChoices,
            RetrySettings retries,
            Duration decisionBudget,
            TokenSettings tokens,
            boolean countOutput,
            AdmissionSettings admission) {}

    /**
     * Reads and validates everything.
     *
     * @throws SettingException the first setting that can't be used
     */
    public static NodeSettings read(Config config) {
        var settings = new SettingsReader(config);
        settings.checked("upstream", () -> UpstreamSettings.from(config));
        settings.checked("api-server", () -> ApiServerSettings.from(config));
        settings.checked("cors", () -> ApiSettings.from(config));
        settings.checked("bindings", () -> BindingSettings.of(config));
        settings.checked("kv-events", () -> KvEventSettings.from(config));
        settings.checked("load", () -> LoadSettings.of(config));
        settings.checked("selection-api", () -> SelectionApiSettings.from(config));
        return new NodeSettings(
                ports(settings),
                join(settings),
                settings.list("worker-urls", WorkerUrl::normalise),
                SessionSettings.read(settings),
                health(settings),
                new Probing(settings.positive("health-check-timeout"), settings.text("health-check-endpoint")),
                new Routing(
                        SelectionReader.read(settings),
                        settings.positive("recent-choices"),
                        FailoverReader.retries(settings),
                        settings.duration("session-decision-budget"),
                        TokenSettings.read(settings),
                        settings.read("selection.count-output", Config::getBoolean),
                        SelectionReader.admission(settings)));
    }

    private static Ports ports(SettingsReader settings) {
        String host = settings.text("host");
        settings.require(
                "host",
                !host.equals("0.0.0.0") && !host.equals("::"),
                host + " (expected: the address by which the other nodes reach this one)");
        return new Ports(
                host,
                settings.port("api-port"),
                settings.has("http2-port") ? OptionalInt.of(settings.port("http2-port")) : OptionalInt.empty(),
                settings.text("management-host"),
                settings.port("management-port"),
                settings.port("remoting-port"));
    }

    private static Join join(SettingsReader settings) {
        var seeds = settings.list("join", HostAndPort::parse);
        int expected = settings.atLeast(0, "expected-nodes");
        settings.require(
                "expected-nodes",
                expected == 0 || seeds.size() == 1,
                expected + " (expected: 0, or one DNS name in " + SettingsReader.ROOT + ".join)");
        return new Join(seeds, expected);
    }

    private static HealthSettings health(SettingsReader settings) {
        return new HealthSettings(
                settings.positive("health-check-interval"),
                settings.atLeast(1, "health-check-failures"),
                FailoverReader.breaker(settings));
    }
}
