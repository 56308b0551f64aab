package io.kvrouter.bench.proxy;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.proxy.load.Contender;
import io.kvrouter.bench.proxy.peer.Nginx;
import io.kvrouter.cli.launch.ChildNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The engine, and all that stands before it, each a process of its own. */
final class Contenders implements AutoCloseable {
    /** All of it from the start, as for a node in service: one that grows is collected more often, which is most of a p99. */
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

    private static final String PART = "proxy-part";

    private final ChildNode engine = part("engine");
    private final URI engineUrl = URI.create(engine.ready().join());
    private final ChildNode relay = part("relay", engineUrl.toString());
    private final Optional<Nginx> nginx = Nginx.start(engineUrl);
    private final LocalCluster cluster;

    /**
     * Starts them.
     *
     * @param nodes of the router's cluster; requests go to the first
     * @param settings of its nodes
     */
    Contenders(int nodes, Map<String, String> settings) throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(Map.of(
                "kvrouter.worker-urls", engineUrl.toString(),
                "kvrouter.api-server.keep-alive", "1h",
                "kvrouter.shutdown.grace", "0s",
                "pekko.loglevel", "WARNING"));
        all.putAll(settings);
        try {
            cluster = LocalCluster.start(nodes, 1, new LocalCluster.Launch(HEAP, all, true));
        } catch (IOException | InterruptedException | RuntimeException e) {
            closePeers();
            throw e;
        }
    }

    private static ChildNode part(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("bench", PART));
        command.addAll(List.of(words));
        return ChildNode.startCommand(command);
    }

    URI engine() {
        return engineUrl;
    }

    /** The ways that every workload takes. */
    List<Contender> ways() {
        List<Contender> ways = new ArrayList<>();
        ways.add(new Contender(Contender.DIRECT, engineUrl, () -> Duration.ZERO, Contender.Ids.AGAIN));
        URI relayUrl = URI.create(relay.ready().join());
        ways.add(new Contender(Contender.RELAY, relayUrl, relay::cpu, Contender.Ids.AGAIN));
        nginx.ifPresent(one -> ways.add(new Contender(Contender.NGINX, one.url(), one::cpu, Contender.Ids.AGAIN)));
        ways.add(new Contender(Contender.ROUTER, node().api(), this::nodeCpu, Contender.Ids.AGAIN));
        return ways;
    }

    boolean withNginx() {
        return nginx.isPresent();
    }

    /** The router's node that takes the requests. */
    LocalNode node() {
        return cluster.nodes().getFirst();
    }

    private Duration nodeCpu() {
        return Duration.ofMillis(Math.round(node().cpuSeconds() * 1e3));
    }

    @Override
    public void close() {
        cluster.close();
        closePeers();
    }

    private void closePeers() {
        nginx.ifPresent(Nginx::close);
        relay.close();
        engine.close();
    }
}
