package io.kvrouter.bench.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.cluster.load.Footprint;
import io.kvrouter.cluster.load.LoadCounters;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.load.LoadSettings;
import io.kvrouter.cluster.load.NodeLoad;
import io.kvrouter.cluster.load.lag.LagHistogram;
import io.kvrouter.kv.fleet.CacheView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.JoinSeedNodes;

/**
 * One node of the benchmark, a process: the load desk of a router node in a cluster, without anything else of it. What
 * the parent process wants next comes as a line on standard input; each is answered with a line.
 */
public final class LoadBenchNode {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REMOTING = """
            pekko.remote.artery {
              canonical { hostname = "127.0.0.1", port = 0 }
              bind.bind-timeout = 30 s
            }
            """;
    private static final Duration LOOK = Duration.ofMillis(500);

    private final LoadShape shape;
    private final ActorSystem<Void> system;
    private final LoadDesk desk;
    private final String self;
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintWriter out;

    private LoadBenchNode(LoadShape shape, PrintWriter out) {
        this.shape = shape;
        this.out = out;
        Config config = ConfigFactory.parseString(REMOTING).withFallback(ConfigFactory.load());
        system = ActorSystem.create(Behaviors.empty(), "kvrouter", config);
        self = Cluster.get(system).selfMember().address().toString();
        var sources = new LoadDesk.Sources(
                () -> CacheView.EMPTY, Footprint.NONE, InstantSource.system(), new SplittableRandom());
        desk = LoadDesk.start(system, LoadSettings.of(config), sources);
        desk.fleet(BenchFleet.of(shape.workers()));
    }

    /** Takes part in the benchmark until it is told to stop on standard input. */
    public static void run(LoadShape shape, PrintWriter out) throws IOException {
        new LoadBenchNode(shape, out).run();
    }

    private void run() throws IOException {
        say(Map.of("address", self));
        Address first = AddressFromURIString.parse(in.readLine());
        Cluster.get(system).manager().tell(new JoinSeedNodes(List.of(first)));
        await(() -> desk.view().nodes().size() == shape.nodes() - 1);
        say(Map.of("joined", true));
        in.readLine();
        try (var bookings = new BookingStream(desk, BenchFleet.DEMAND, shape, new SplittableRandom())) {
            pause(shape.warmup());
            report(bookings);
            in.readLine();
            bookings.endAll();
            await(() -> NodeRun.views(self, desk.view()).values().stream().allMatch(sum -> sum == 0));
            say(Map.of("idle", true));
            in.readLine();
        }
        system.terminate();
    }

    private void report(BookingStream bookings) throws IOException {
        LoadCounters before = desk.view().counters();
        Map<String, LagHistogram.Snapshot> lagBefore = lags();
        double cpuBefore = cpuSeconds();
        long late = watch();
        double cpu = cpuSeconds() - cpuBefore;
        LoadCounters after = desk.view().counters();
        Map<String, long[]> lag = lagsSince(lagBefore);
        double most = desk.view().nodes().stream()
                .mapToDouble(n -> n.lag().mostMs())
                .max()
                .orElse(0);
        bookings.hold();
        pause(Duration.ofSeconds(2));
        var run = new NodeRun(
                cpu,
                after.bytesSent() - before.bytesSent(),
                after.updatesMade() - before.updatesMade(),
                after.updatesSkipped() - before.updatesSkipped(),
                desk.view().bookings(),
                late,
                NodeRun.views(self, desk.view()));
        long visible = desk.view().nodes().stream()
                .mapToLong(NodeLoad::visibleBookings)
                .min()
                .orElse(0);
        say(Map.of("run", run, "lag", lag, "most_ms", most, "visible", visible, "self", self));
    }

    private Map<String, long[]> lagsSince(Map<String, LagHistogram.Snapshot> before) {
        Map<String, long[]> lag = new TreeMap<>();
        lags().forEach((node, now) -> lag.put(
                node,
                now.since(before.getOrDefault(node, LagHistogram.Snapshot.empty()))
                        .counts()));
        return lag;
    }

    private Map<String, LagHistogram.Snapshot> lags() {
        return desk.view().nodes().stream().collect(Collectors.toMap(NodeLoad::node, NodeLoad::lag));
    }

    /** Measures for the time that was asked for. Returns how often a peer had not seen what was a second old. */
    private long watch() {
        List<Long> made = new ArrayList<>();
        long late = 0;
        long end = System.nanoTime() + shape.measured().toNanos();
        while (System.nanoTime() < end) {
            pause(LOOK);
            var view = desk.view();
            made.add(view.bookings());
            int before = made.size() - 1 - (int) (Duration.ofSeconds(1).dividedBy(LOOK) + 1);
            if (before >= 0) {
                long old = made.get(before);
                late += view.nodes().stream()
                        .filter(n -> n.visibleBookings() < old)
                        .count();
            }
        }
        return late;
    }

    private static double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1e9;
    }

    private void say(Map<String, ?> what) throws IOException {
        out.println("LOAD " + JSON.writeValueAsString(what));
        out.flush();
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            pause(Duration.ofMillis(50));
        }
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
