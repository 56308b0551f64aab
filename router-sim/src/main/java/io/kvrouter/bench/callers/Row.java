package io.kvrouter.bench.callers;

import io.kvrouter.bench.Samples;
import io.kvrouter.bench.patience.Answers;
import java.time.Duration;
import java.util.Map;

/**
 * What one caller got in one phase.
 *
 * @param answered well, within the measured time
 * @param perSecond the same, a second
 * @param p50Ms of a request, from when its client had its last answer to the last byte of this one
 * @param failed what the others got, ramp-up and end of the phase included
 */
public record Row(Key of, int answered, double perSecond, double p50Ms, double p99Ms, Map<String, Integer> failed) {
    private static final double MS = 1e6;

    /** Which of them. */
    public record Key(Phase phase, Party party) {}

    static Row of(Key key, Answers answers, long from, Duration time) {
        Samples took = answers.latencies(from, from + time.toNanos());
        return new Row(
                key,
                took.count(),
                took.count() / (time.toMillis() / 1e3),
                took.percentile(50) / MS,
                took.percentile(99) / MS,
                answers.others());
    }

    int failures() {
        return failed.values().stream().mapToInt(Integer::intValue).sum();
    }
}
