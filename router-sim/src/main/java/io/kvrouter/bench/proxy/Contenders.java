package io.kvrouter.bench.proxy;

import io.kvrouter.bench.client.Wire;
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
import java.util.Set;
import java.util.function.Supplier;

/** The engine, and all that stands before it, each a process of its own. */
final class Contenders implements AutoCloseable {
    /** All of it from the start, as for a node in service: one that grows is collected more often, which is most of a p99. */
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

    private static final String PART = "proxy-part";

    private final ChildNode engine = part("engine");
    private final URI engineUrl = URI.create(engine.ready().join());
    private final ChildNode relay = part("relay", engineUrl.toString());
    private final Optional<Nginx> nginx = Nginx.start(engineUrl);
    private final Set<Protocol> protocols;
    private final Optional<OwnCertificate> certificate;
    private final LocalCluster cluster;

    /** Starts them. */
    Contenders(RouterPlan router) throws IOException, InterruptedException {
        this.protocols = router.protocols();
        Map<String, String> all = new HashMap<>(Map.of(
                "kvrouter.worker-urls", engineUrl.toString(),
                "kvrouter.api-server.keep-alive", "1h",
                "kvrouter.shutdown.grace", "0s",
                "pekko.loglevel", "WARNING"));
        if (router.http2()) {
            all.put("kvrouter.http2-port", "0");
        }
        all.putAll(router.settings());
        try {
            certificate = router.tls() ? Optional.of(OwnCertificate.make()) : Optional.empty();
            cluster = LocalCluster.start(router.nodes(), 1, new LocalCluster.Launch(HEAP, all, true, tls()));
        } catch (IOException | InterruptedException | RuntimeException e) {
            closePeers();
            throw e;
        }
    }

    private Map<String, String> tls() {
        return certificate
                .map(own -> Map.of(
                        "kvrouter.tls.api.certificate", own.certificate().toString(),
                        "kvrouter.tls.api.key", own.key().toString()))
                .orElse(Map.of());
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
        ways.add(router());
        protocols.forEach(protocol -> ways.add(router(protocol)));
        return ways;
    }

    /** The way through the router in HTTP/1.1 and plain text. */
    Contender router() {
        return new Contender(Contender.ROUTER, node().api(), cpu(node()), Contender.Ids.AGAIN);
    }

    /** A node's port has TLS or has it not, so that there is one for those protocols that have. */
    private Contender router(Protocol spoken) {
        LocalNode node = spoken.tls() ? cluster.nodes().getLast() : node();
        int port = spoken.http2() ? node.http2Port().orElseThrow() : node.api().getPort();
        URI url = URI.create((spoken.tls() ? "https" : "http") + "://127.0.0.1:" + port);
        var wire =
                new Wire(spoken.http2(), certificate.filter(own -> spoken.tls()).map(OwnCertificate::trust));
        return new Contender(spoken.way(), url, wire, cpu(node), Contender.Ids.AGAIN);
    }

    boolean withNginx() {
        return nginx.isPresent();
    }

    /** The router's node that takes the requests in plain text. */
    LocalNode node() {
        return cluster.nodes().getFirst();
    }

    private static Supplier<Duration> cpu(LocalNode node) {
        return () -> Duration.ofMillis(Math.round(node.cpuSeconds() * 1e3));
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
