package io.kvrouter.bench.fleet;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one run gave.
 *
 * @param values those figures that a run on this setup has
 * @param failures failed turns, by what they got
 * @param cpuSeconds of each node, in the window
 */
record RunFigures(
        Setup setup, long seed, Map<Figure, Double> values, Map<String, Long> failures, List<Double> cpuSeconds) {
    RunFigures {
        values = Map.copyOf(new EnumMap<>(values));
        failures = Map.copyOf(failures);
        cpuSeconds = List.copyOf(cpuSeconds);
    }

    RunFigures with(Figure figure, double value) {
        Map<Figure, Double> all = new EnumMap<>(values);
        all.put(figure, value);
        return new RunFigures(setup, seed, all, failures, cpuSeconds);
    }
}
