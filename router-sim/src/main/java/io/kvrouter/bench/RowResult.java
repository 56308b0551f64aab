package io.kvrouter.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What one path gave in all rounds.
 *
 * @param received completion requests that the worker saw
 * @param finished those that it answered whole
 * @param routerCpuNanos CPU time of the router's process meanwhile, which includes what it does unasked
 */
public record RowResult(Row row, List<Round> rounds, long received, long finished, long routerCpuNanos) {
    public RowResult {
        rounds = List.copyOf(rounds);
    }

    static RowResult none(Row row) {
        return new RowResult(row, List.of(), 0, 0, 0);
    }

    /** With one more round, and what the worker and the system counted meanwhile. */
    RowResult and(Round round, WorkerLog.Counts atWorker, long cpuNanos) {
        return new RowResult(
                row,
                Stream.concat(rounds.stream(), Stream.of(round)).toList(),
                received + atWorker.received(),
                finished + atWorker.finished(),
                routerCpuNanos + cpuNanos);
    }

    public long sent() {
        return rounds.stream().mapToLong(Round::sent).sum();
    }

    public long failed() {
        return rounds.stream().mapToLong(Round::failed).sum();
    }

    /** Every request was answered with success, and reached the worker once: none was lost, none repeated. */
    public boolean sound() {
        return failed() == 0 && received == sent() && finished == sent();
    }

    /** The percentile of each round, and of these the median. */
    public double percentileMs(double percent) {
        return median(round -> round.samples().percentile(percent) / 1e6);
    }

    public double requestsPerSecond() {
        return median(Round::requestsPerSecond);
    }

    public double routerCpuMicrosPerRequest() {
        return routerCpuNanos / 1e3 / Math.max(1, sent());
    }

    /** How often the router answered with which decision. */
    public Map<String, Integer> decisions() {
        Map<String, Integer> all = new TreeMap<>();
        rounds.forEach(round -> round.decisions().forEach((name, count) -> all.merge(name, count, Integer::sum)));
        return all;
    }

    private double median(ToDoubleFunction<Round> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[half]
                : Arrays.stream(sorted, half - 1, half + 1).average().orElse(0);
    }
}
