package io.kvrouter.bench.prompt;

import io.kvrouter.bench.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Samples of one kind of request, by what was measured; the median of each. */
final class Medians<K extends Enum<K>> {
    private static final double MIDDLE = 50;

    private final Map<K, List<Long>> samples;

    Medians(Class<K> kinds) {
        samples = new EnumMap<>(kinds);
    }

    void add(K kind, long value) {
        samples.computeIfAbsent(kind, unused -> new ArrayList<>()).add(value);
    }

    /** 0 without any sample. */
    long of(K kind) {
        long[] values = samples.getOrDefault(kind, List.of()).stream()
                .mapToLong(Long::longValue)
                .toArray();
        return Samples.of(values).percentile(MIDDLE);
    }
}
