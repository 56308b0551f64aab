package io.kvrouter.bench.proxy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.bench.Report;
import io.kvrouter.bench.proxy.load.Contender;
import io.kvrouter.bench.proxy.load.Measured;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a {@link ProxyBench} found, as tables for people and with every round as JSON.
 *
 * @param results of each workload, in its order
 */
public record ProxyReport(ProxyPlan plan, Map<Workload, List<Series>> results, Cluster cluster) implements Report {
    /** What is said of the figures. */
    public static final String LEGEND = """
            Load generator, engine, relay, nginx and each node of the router are processes of their own on this machine,
            asked in turn round by round. Each figure is the median over the rounds; CPU is that of the way's own
            process, all rounds together, with what it does unasked. Latency of requests: to the last byte of the
            answer, paced ones from when they were due; of events: from the engine's write to the client's read.
            A protocol beside HTTP/1.1 in plain text is told with the router's name; TLS is the last node's, all else the
            first's; HTTP/2 is spoken on 4 connections.
            added = less that of the direct way; / relay, / nginx = CPU as a multiple of theirs.
            """;

    /**
     * What stood before the engine.
     *
     * @param idleCores what the node used without any request
     * @param rate requests a second of {@link Workload#PACED}
     */
    public record Cluster(int nodes, double idleCores, boolean withNginx, double rate) {}

    /** Whether every request and stream was answered whole, and seen by the engine just once. */
    @Override
    public boolean sound() {
        return results.values().stream().flatMap(List::stream).allMatch(Series::sound);
    }

    @Override
    public String text() {
        var text = new StringBuilder();
        results.forEach((workload, series) -> append(text, workload, series));
        text.append(
                "%n%d rounds after %.0f s of warm-up; router: a node of %d, which uses %.1f %% of a core without requests%n"
                        .formatted(
                                plan.rounds(),
                                plan.warmUp().toMillis() / 1e3,
                                cluster.nodes(),
                                cluster.idleCores() * 100));
        if (!cluster.withNginx()) {
            text.append("nginx was left out: there is none on the PATH\n");
        }
        text.append(LEGEND).append("machine: ").append(machine()).append('\n');
        return text.toString();
    }

    private void append(StringBuilder text, Workload workload, List<Series> series) {
        String pace = workload == Workload.PACED ? " (%.0f/s)".formatted(cluster.rate()) : "";
        text.append("%n%s%s%n%-22s %8s %8s %10s %10s %11s %9s %8s %8s %7s%n"
                .formatted(
                        workload.title(),
                        pace,
                        "",
                        "p50 ms",
                        "p99 ms",
                        "added p50",
                        "added p99",
                        workload.unit() + "s/s",
                        "CPU us",
                        "/ relay",
                        "/ nginx",
                        "failed"));
        series.forEach(one -> text.append(line(one, series)));
    }

    private static String line(Series one, List<Series> all) {
        double p50 = one.median(Measured::p50Ms);
        double p99 = one.median(Measured::p99Ms);
        Series direct = all.getFirst();
        boolean proxy = !one.to().direct();
        boolean timed = p50 > 0;
        return String.format(
                Locale.ROOT,
                "%-22s %8s %8s %10s %10s %11.0f %9s %8s %8s %7d%s%n",
                one.to().name(),
                timed ? number(p50, 3) : "-",
                timed ? number(p99, 3) : "-",
                timed && proxy ? number(p50 - direct.median(Measured::p50Ms), 3) : "-",
                timed && proxy ? number(p99 - direct.median(Measured::p99Ms), 3) : "-",
                one.median(Measured::rate),
                proxy ? number(one.cpuMicrosPerUnit(), 1) : "-",
                ratio(one, all, Contender.RELAY),
                ratio(one, all, Contender.NGINX),
                one.failed(),
                one.sound() ? "" : "  NOT SOUND");
    }

    private static String ratio(Series one, List<Series> all, String to) {
        return !one.to().routed()
                ? "-"
                : multiple(one, all, to).map(times -> number(times, 2)).orElse("-");
    }

    private static Optional<Double> multiple(Series one, List<Series> all, String to) {
        return all.stream()
                .filter(other -> other.to().name().equals(to) && other.cpuMicrosPerUnit() > 0)
                .map(other -> one.cpuMicrosPerUnit() / other.cpuMicrosPerUnit())
                .findFirst();
    }

    private static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private static String machine() {
        return "%d cores, JDK %s, %s %s %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("java.vm.version", "?"),
                        System.getProperty("os.name", "?"),
                        System.getProperty("os.version", "?"),
                        System.getProperty("os.arch", "?"));
    }

    @Override
    public void writeJson(Path file) throws IOException {
        var json = new ObjectMapper();
        ObjectNode root = json.createObjectNode();
        root.put("machine", machine())
                .put("sound", sound())
                .put("nodes", cluster.nodes())
                .put("idle_cores", cluster.idleCores())
                .put("paced_rate", cluster.rate());
        ObjectNode workloads = root.putObject("workloads");
        results.forEach((workload, series) -> {
            ObjectNode ways = workloads.putObject(workload.toString());
            series.forEach(one -> describe(one, ways.putObject(one.to().name())));
        });
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    }

    private static void describe(Series series, ObjectNode json) {
        var rounds = json.put("cpu_us", series.cpuMicrosPerUnit()).putArray("rounds");
        for (Measured round : series.rounds()) {
            rounds.addObject()
                    .put("units", round.units())
                    .put("failed", round.failed())
                    .put("counted", round.counted())
                    .put("time_ns", round.time().toNanos())
                    .put("cpu_ns", round.cpu().toNanos())
                    .put("p50_ms", round.p50Ms())
                    .put("p99_ms", round.p99Ms());
        }
    }
}
