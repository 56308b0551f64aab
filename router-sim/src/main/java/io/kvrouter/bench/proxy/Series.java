package io.kvrouter.bench.proxy;

import io.kvrouter.bench.proxy.load.Contender;
import io.kvrouter.bench.proxy.load.Measured;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The rounds of a workload over one way. */
public record Series(Contender to, List<Measured> rounds) {
    public Series {
        rounds = List.copyOf(rounds);
    }

    /** Of a figure of each round, the median. */
    double median(ToDoubleFunction<Measured> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return 0;
        }
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** Of all rounds together: the system tells CPU time in steps of 10 ms. */
    double cpuMicrosPerUnit() {
        double micros = rounds.stream()
                .mapToDouble(round -> round.cpu().toNanos() / 1e3)
                .sum();
        return micros / Math.max(1, units());
    }

    long units() {
        return rounds.stream().mapToLong(Measured::units).sum();
    }

    long failed() {
        return rounds.stream().mapToLong(Measured::failed).sum();
    }

    /** In short, for those who wait. */
    String line(Workload workload) {
        return "%s: %.0f %ss/s, %.1f us of CPU each, p50 %.3f ms, p99 %.3f ms"
                .formatted(
                        to.name(),
                        median(Measured::rate),
                        workload.unit(),
                        cpuMicrosPerUnit(),
                        median(Measured::p50Ms),
                        median(Measured::p99Ms));
    }

    boolean sound() {
        return !rounds.isEmpty() && rounds.stream().allMatch(Measured::sound);
    }
}
