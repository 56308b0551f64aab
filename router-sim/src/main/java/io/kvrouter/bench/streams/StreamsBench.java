package io.kvrouter.bench.streams;

import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.bench.client.Ingress;
import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.proxy.load.Contender;
import io.kvrouter.bench.proxy.load.EngineCounts;
import io.kvrouter.bench.proxy.load.Requests;
import io.kvrouter.bench.proxy.load.Streams;
import io.kvrouter.bench.proxy.peer.MockEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What streams take of one node when nothing moves in them: thousands that wait for their engine's next event, each of a
 * session of its own, and some whose engine has more than their reader takes. The node is a process of its own.
 */
public final class StreamsBench {
    private static final int EVENTS = 2; // the first comes at once, the other never
    private static final long OPENING_MIN = 3;

    private final StreamsPlan plan;
    private final LocalNode node;
    private final Contender router;
    private final EngineCounts engine;
    private final Consumer<String> progress;

    private StreamsBench(StreamsPlan plan, LocalNode node, EngineCounts engine, Consumer<String> progress) {
        this.plan = plan;
        this.node = node;
        this.engine = engine;
        this.progress = progress;
        this.router = new Contender(Contender.ROUTER, node.api(), () -> Duration.ZERO, Contender.Ids.NEW);
    }

    /** Starts an engine and a node, measures, and ends both. */
    public static StreamsReport run(StreamsPlan plan, Map<String, String> settings, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (var here = MockEngine.start();
                var cluster = LocalCluster.start(1, 1, launch(here, settings));
                var engine = new EngineCounts(here.url())) {
            return new StreamsBench(plan, cluster.nodes().getFirst(), engine, progress).measure();
        }
    }

    private static LocalCluster.Launch launch(MockEngine engine, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "kvrouter.worker-urls", engine.url().toString(),
                "kvrouter.shutdown.grace", "0s",
                "pekko.loglevel", "WARNING"));
        all.putAll(settings);
        return new LocalCluster.Launch(List.of("-Xmx1g"), all, true);
    }

    private StreamsReport measure() throws IOException, InterruptedException {
        Footprint empty = Footprint.of(node);
        Footprint idle;
        int failed;
        try (var thread = new ClientThread()) {
            String held = Requests.events(EVENTS) + MockEngine.PACE + ": " + MockEngine.BEAT + "\r\n";
            var requests = new Requests(router, Requests.STREAM, held);
            var streams = new Streams(requests, plan.idle(), EVENTS);
            var clients = new Ingress(node.api(), plan.idle(), thread);
            thread.loop().execute(() -> streams.begin(clients));
            streams.open().orTimeout(OPENING_MIN, TimeUnit.MINUTES).join();
            progress.accept(plan.idle() + " streams are open");
            idle = Footprint.of(node);
            failed = streams.failed();
        }
        quiet();
        Footprint between = Footprint.of(node);
        long before = engine.now().events();
        try (var readers = new SlowReaders(router, plan.slow())) {
            long sent = readers.whenNothingMoves(engine) - before;
            progress.accept(plan.slow() + " readers do not read");
            return new StreamsReport(plan, empty, idle, failed, between, Footprint.of(node), sent);
        }
    }

    /** Until the streams whose clients left are over. */
    private void quiet() throws InterruptedException {
        for (int look = 0; look < 600 && node.scrape().sum("kvrouter_own_load_requests") > 0; look++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
