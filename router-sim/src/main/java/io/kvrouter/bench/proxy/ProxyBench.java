package io.kvrouter.bench.proxy;

import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.bench.proxy.load.Contender;
import io.kvrouter.bench.proxy.load.EngineCounts;
import io.kvrouter.bench.proxy.load.Measured;
import io.kvrouter.bench.proxy.load.Requests;
import io.kvrouter.bench.proxy.load.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the router costs as a proxy: the same requests straight to a mock engine, through a plain relay on Netty, through
 * nginx where there is one, and through one node of a cluster of the router, with sessions, reservations and metrics
 * on; to the router by further protocols too, if they are wanted. All in one run and in turn, so that whatever else
 * the machine does meets all of them. Each is a process of its own, so that its CPU time is known apart.
 * docs/figures.md has what it found.
 */
public final class ProxyBench {
    private static final int BURST_STREAMS = 100;
    private static final int BURST_EVENTS = 500;
    private static final int LONG_PLACES = 4;
    private static final int LONG_REQUESTS = 20;
    private static final int PACED_PLACES = 4_096;
    private static final long EVENT_MICROS = 20_000;
    private static final Duration OPENING = Duration.ofMillis(1_500);
    private static final Duration IDLE = Duration.ofSeconds(3);

    private final ProxyPlan plan;
    private final Contenders contenders;
    private final Consumer<String> progress;
    private final ClientThread thread;
    private final EngineCounts engine;
    private final Map<Workload, List<Series>> results = new EnumMap<>(Workload.class);
    private double rate;

    private ProxyBench(
            ProxyPlan plan,
            Contenders contenders,
            Consumer<String> progress,
            ClientThread thread,
            EngineCounts engine) {
        this.plan = plan;
        this.contenders = contenders;
        this.progress = progress;
        this.thread = thread;
        this.engine = engine;
        this.rate = plan.rate();
    }

    /**
     * Starts everything, measures, and ends everything.
     *
     * @param progress told a line now and then
     */
    public static ProxyReport run(ProxyPlan plan, RouterPlan router, Consumer<String> progress)
            throws IOException, InterruptedException {
        progress.accept("starting " + router.nodes() + " nodes");
        try (var contenders = new Contenders(router);
                var thread = new ClientThread();
                var engine = new EngineCounts(contenders.engine())) {
            return new ProxyBench(plan, contenders, progress, thread, engine).measure(router.nodes());
        }
    }

    private ProxyReport measure(int nodes) throws InterruptedException {
        if (!contenders.withNginx()) {
            progress.accept("no nginx on the PATH: it is left out");
        }
        double idle = idleCpu();
        for (Workload workload : plan.workloads()) {
            progress.accept(workload.title());
            List<Series> measured = measure(workload);
            results.put(workload, measured);
            measured.forEach(one -> progress.accept("  " + one.line(workload)));
        }
        return new ProxyReport(plan, results, new ProxyReport.Cluster(nodes, idle, contenders.withNginx(), rate));
    }

    /** What a node uses of a core without any request. */
    private double idleCpu() throws InterruptedException {
        double before = contenders.node().cpuSeconds();
        TimeUnit.NANOSECONDS.sleep(IDLE.toNanos());
        return (contenders.node().cpuSeconds() - before) * 1e9 / IDLE.toNanos();
    }

    private List<Series> measure(Workload workload) {
        List<Contender> ways = contenders.ways();
        Contender router = contenders.router();
        return switch (workload) {
            case SHORT -> {
                ways.add(router.with("router, no session", Contender.Ids.NONE));
                ways.add(router.with("router, first turns", Contender.Ids.NEW));
                yield rounds(ways, plan.concurrency(), this::closedLoop);
            }
            case PACED -> {
                rate = rate > 0 ? rate : sustained(router) / 2;
                progress.accept("at %.0f requests/s".formatted(rate));
                yield rounds(
                        ways, PACED_PLACES, way -> way.paced(requests(way, Requests.SHORT, ""), rate, plan.time()));
            }
            case BURST ->
                rounds(
                        ways,
                        BURST_STREAMS,
                        way -> way.burst(
                                requests(way, Requests.STREAM, Requests.events(BURST_EVENTS)),
                                BURST_STREAMS,
                                BURST_EVENTS));
            case STREAMS_200 -> rounds(ways, 200, way -> streams(way, 200));
            case STREAMS_1000 -> rounds(ways, 1_000, way -> streams(way, 1_000));
            case LONG ->
                rounds(ways, LONG_PLACES, way -> way.closedLoop(requests(way, Requests.LONG, ""), LONG_REQUESTS));
        };
    }

    private Measured closedLoop(Way way) {
        return way.closedLoop(requests(way, Requests.SHORT, ""), plan.requests());
    }

    /** Requests a second, all of them bound. */
    private double sustained(Contender router) {
        return rounds(List.of(router), plan.concurrency(), this::closedLoop)
                .getFirst()
                .median(Measured::rate);
    }

    private Measured streams(Way way, int count) {
        long micros = TimeUnit.NANOSECONDS.toMicros(plan.time().plus(OPENING).toNanos());
        int events = (int) (micros / EVENT_MICROS);
        Requests requests = requests(way, Requests.STREAM, Requests.events(events, EVENT_MICROS));
        return way.streams(requests, count, events, plan.time());
    }

    private static Requests requests(Way way, String body, String headers) {
        return new Requests(way.to(), body, headers);
    }

    private List<Series> rounds(List<Contender> contending, int places, Function<Way, Measured> round) {
        List<Way> ways = contending.stream()
                .map(to -> new Way(to, places, thread, engine))
                .toList();
        ways.stream().filter(way -> way.to().compiles()).forEach(way -> warmUp(way, round));
        Map<Contender, List<Measured>> measured = new LinkedHashMap<>();
        for (int i = 0; i < plan.rounds(); i++) {
            for (Way way : ways) {
                measured.computeIfAbsent(way.to(), to -> new ArrayList<>()).add(round.apply(way));
            }
        }
        ways.forEach(Way::close);
        return measured.entrySet().stream()
                .map(entry -> new Series(entry.getKey(), entry.getValue()))
                .toList();
    }

    private void warmUp(Way way, Function<Way, Measured> round) {
        long end = System.nanoTime() + plan.warmUp().toNanos();
        while (System.nanoTime() < end) {
            Measured unused = round.apply(way);
        }
    }
}
