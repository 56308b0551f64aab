package io.kvrouter.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The result of a {@link ProxyBench} as a table for people, and with every sample as JSON. */
public final class ProxyReport implements Report {
    private static final double P50 = 50;
    private static final double P99 = 99;

    private final Plan plan;
    private final List<RowResult> rows;
    private final String machine;

    /** @param rows the direct one first: the others are compared with it */
    public ProxyReport(Plan plan, List<RowResult> rows) {
        this.plan = plan;
        this.rows = List.copyOf(rows);
        this.machine = "%d cores, JDK %s, %s %s %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("java.vm.version", "?"),
                        System.getProperty("os.name", "?"),
                        System.getProperty("os.version", "?"),
                        System.getProperty("os.arch", "?"));
    }

    /** Whether all requests of all rows were answered, and counted at the worker once each. */
    @Override
    public boolean sound() {
        return rows.stream().allMatch(RowResult::sound);
    }

    /** The table, what it means, and the machine. */
    @Override
    public String text() {
        var text = new StringBuilder("%n%-20s %9s %9s %10s %10s %10s %11s %7s %9s %6s%n"
                .formatted(
                        "",
                        "p50 ms",
                        "p99 ms",
                        "added p50",
                        "added p99",
                        "requests/s",
                        "router CPU",
                        "sent",
                        "at worker",
                        "failed"));
        rows.forEach(row -> text.append(line(row)));
        text.append("%nmachine: %s%n".formatted(machine));
        text.append("%d requests a round, %d connections with one request in flight each (closed loop), %s;%n"
                .formatted(plan.requests(), plan.concurrency(), plan.stream() ? "streaming" : "not streaming"));
        text.append("%d rounds of all rows in turn after %d of warm-up. Latency: raw samples, request to last byte of%n"
                .formatted(plan.rounds(), plan.warmUp()));
        text.append("""
                the answer; each percentile is the median over the rounds; added = difference of these percentiles.
                router CPU: microseconds of its process a request. Load generator, router node and worker are three
                processes on this machine; the worker's simulated engine is sped up until it takes no time.
                """);
        rows.stream()
                .filter(row -> !row.decisions().isEmpty())
                .forEach(row ->
                        text.append("decisions, %s: %s%n".formatted(row.row().title(), row.decisions())));
        return text.toString();
    }

    private String line(RowResult row) {
        RowResult direct = rows.getFirst();
        double p50 = row.percentileMs(P50);
        double p99 = row.percentileMs(P99);
        boolean routed = row.row().routed();
        return String.format(
                Locale.ROOT,
                "%-20s %9.3f %9.3f %10s %10s %10.0f %11s %7d %9d %6d%n",
                row.row().title(),
                p50,
                p99,
                routed ? number(p50 - direct.percentileMs(P50), 3) : "-",
                routed ? number(p99 - direct.percentileMs(P99), 3) : "-",
                row.requestsPerSecond(),
                routed ? number(row.routerCpuMicrosPerRequest(), 0) : "-",
                row.sent(),
                row.received(),
                row.failed());
    }

    private static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** Writes everything that was measured. */
    @Override
    public void writeJson(Path file) throws IOException {
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), json());
    }

    private ObjectNode json() {
        var json = new ObjectMapper().createObjectNode();
        json.put("machine", machine)
                .put("requests", plan.requests())
                .put("concurrency", plan.concurrency())
                .put("stream", plan.stream());
        ArrayNode all = json.putArray("rows");
        rows.forEach(row -> describe(row, all.addObject()));
        return json;
    }

    private static void describe(RowResult row, ObjectNode json) {
        json.put("row", row.row().title())
                .put("sent", row.sent())
                .put("received_at_worker", row.received())
                .put("finished_at_worker", row.finished())
                .put("failed", row.failed())
                .put("router_cpu_ns", row.routerCpuNanos());
        ArrayNode rounds = json.putArray("rounds");
        for (Round round : row.rounds()) {
            ArrayNode samples =
                    rounds.addObject().put("elapsed_ns", round.elapsedNanos()).putArray("latency_ns");
            round.samples().stream().forEach(samples::add);
        }
    }
}
