package io.kvrouter.bench.fleet;

import java.util.Collection;
import java.util.Optional;

/** A figure over several runs. */
record Spread(double mean, double least, double most) {
    /** Empty without any value. */
    static Optional<Spread> of(Collection<Double> values) {
        var summary = values.stream().mapToDouble(Double::doubleValue).summaryStatistics();
        return summary.getCount() == 0
                ? Optional.empty()
                : Optional.of(new Spread(summary.getAverage(), summary.getMin(), summary.getMax()));
    }
}
