package io.kvrouter.bench;

import io.kvrouter.bench.client.ClientThread;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * What the router adds to a request: the same requests straight to a simulated worker and through one node, in turn, so
 * that whatever else the machine does meets both. Load generator, router and worker are processes of their own. The
 * worker's engine takes no time, so what is left is the way there and back.
 *
 * <p>Measured on 2026-11-29, 2 cores, JDK 25, all three processes on them, so that the closed loop of 64 keeps the machine
 * saturated and most of the latency is waiting for a core:
 *
 * <pre>
 * ./router bench proxy                                      p50 ms  p99 ms  added p50  added p99  router CPU us
 * direct                                                      1.26    6.80
 * routed, no session                                          7.99   29.52       6.73      22.72            186
 * routed, first turn                                         11.98   22.71      10.72      15.91            310
 * routed, pinned                                             11.44   26.64      10.18      19.85            264
 * ./router bench proxy --concurrency 1 --requests 500
 * direct                                                      0.02    0.09
 * routed, no session                                          0.23    2.68       0.21       2.58            288
 * routed, first turn                                          0.42    3.24       0.39       3.15            696
 * routed, pinned                                              0.40    3.70       0.37       3.61            584
 * </pre>
 */
public final class ProxyBench {
    private static final int TURNS_OF_A_SESSION = 10;
    private static final int ATTEMPTS_TO_REACH = 300;
    private static final long BETWEEN_ATTEMPTS_NANOS = 100_000_000;

    private final Plan plan;
    private final Subject subject;
    private final Requests requests;
    private final Map<Row, RowResult> results = new EnumMap<>(Row.class);

    /** What is measured: a worker, a router before it, and the CPU time that the router's process has used. */
    public record Subject(URI worker, URI router, LongSupplier routerCpuNanos) {}

    private ProxyBench(Plan plan, Subject subject) {
        this.plan = plan;
        this.subject = subject;
        this.requests = new Requests(
                plan.requests(), Math.max(plan.concurrency(), plan.requests() / TURNS_OF_A_SESSION), plan.stream());
        for (Row row : Row.values()) {
            results.put(row, RowResult.none(row));
        }
    }

    /** Warms up and measures; returns a result for each row. */
    public static List<RowResult> run(Plan plan, Subject subject) {
        try (var thread = new ClientThread();
                var log = new WorkerLog(subject.worker())) {
            awaitWorker(subject.router(), plan, thread);
            try (var direct = ClosedLoop.connect(subject.worker(), plan.concurrency(), thread);
                    var routed = ClosedLoop.connect(subject.router(), plan.concurrency(), thread)) {
                return new ProxyBench(plan, subject).measure(direct, routed, log);
            }
        }
    }

    /** The router takes requests before it has found the worker to be healthy. */
    private static void awaitWorker(URI router, Plan plan, ClientThread thread) {
        List<byte[]> one = new Requests(1, 1, plan.stream()).round(Row.NO_SESSION, router);
        for (int attempt = 0; attempt < ATTEMPTS_TO_REACH; attempt++) {
            try (var client = ClosedLoop.connect(router, 1, thread)) {
                if (client.run(one).failed() == 0) {
                    return;
                }
            }
            LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
        }
        throw new IllegalStateException("the router does not reach its worker");
    }

    private List<RowResult> measure(ClosedLoop direct, ClosedLoop routed, WorkerLog log) {
        for (int round = 0; round < plan.warmUp() + plan.rounds(); round++) {
            for (Row row : Row.values()) {
                log.clear();
                long cpuBefore = subject.routerCpuNanos().getAsLong();
                Round done = row.routed()
                        ? routed.run(requests.round(row, subject.router()))
                        : direct.run(requests.round(row, subject.worker()));
                long cpu = subject.routerCpuNanos().getAsLong() - cpuBefore;
                if (round >= plan.warmUp()) {
                    var counts = log.counts();
                    results.computeIfPresent(row, (same, before) -> before.and(done, counts, cpu));
                }
            }
        }
        return List.copyOf(results.values());
    }
}
