package io.kvrouter.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.cluster.load.lag.LagHistogram;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What all nodes reported, added up. */
public record LoadReport(LoadShape shape, LagHistogram.Snapshot lag, Cost cost, Visible visible) {
    /**
     * What it costs, of one node on average.
     *
     * @param cpu cores
     */
    public record Cost(double cpu, double bytesPerSecond, double updatesPerSecond, long skipped) {}

    /**
     * How right the views are.
     *
     * @param made bookings of all nodes
     * @param share of them visible at the peer that has seen the fewest
     * @param late looks at which something older than a second was not visible
     * @param equal whether all views of a node equal what it books
     */
    public record Visible(long made, double share, long late, boolean equal) {}

    static LoadReport of(LoadShape shape, List<JsonNode> nodes) {
        List<LagHistogram.Snapshot> lags = new ArrayList<>();
        double seconds = shape.measured().toNanos() / 1e9 * nodes.size();
        double[] sums = new double[4];
        long[] bookings = new long[3];
        for (JsonNode node : nodes) {
            JsonNode run = node.path("run");
            node.path("lag")
                    .forEach(counts ->
                            lags.add(snapshot(counts, node.path("most_ms").asDouble())));
            sums[0] += run.path("cpuSeconds").asDouble();
            sums[1] += run.path("bytesSent").asDouble();
            sums[2] += run.path("updates").asDouble();
            sums[3] += run.path("skipped").asDouble();
            bookings[0] += run.path("bookings").asLong();
            bookings[1] += node.path("visible").asLong();
            bookings[2] += run.path("late").asLong();
        }
        return new LoadReport(
                shape,
                LagHistogram.Snapshot.sum(lags),
                new Cost(sums[0] / seconds, sums[1] / seconds, sums[2] / seconds, (long) sums[3]),
                new Visible(
                        bookings[0],
                        (double) bookings[1] / Math.max(1, bookings[0]),
                        bookings[2],
                        equal(views(nodes), nodes.size())));
    }

    private static Map<String, List<Long>> views(List<JsonNode> nodes) {
        Map<String, List<Long>> views = new HashMap<>();
        for (JsonNode node : nodes) {
            node.at("/run/views")
                    .properties()
                    .forEach(view -> views.computeIfAbsent(view.getKey(), of -> new ArrayList<>())
                            .add(view.getValue().asLong()));
        }
        return views;
    }

    /** Every node is seen by all, itself included, with the same load. */
    private static boolean equal(Map<String, List<Long>> views, int nodes) {
        return views.size() == nodes
                && views.values().stream()
                        .allMatch(seen ->
                                seen.size() == nodes && seen.stream().distinct().count() == 1);
    }

    private static LagHistogram.Snapshot snapshot(JsonNode counts, double mostMs) {
        long[] numbers = new long[counts.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = counts.get(i).asLong();
        }
        return LagHistogram.Snapshot.of(numbers, mostMs);
    }
}
