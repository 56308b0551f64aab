package io.kvrouter.bench.workload;

import java.util.random.RandomGenerator;

/** Where sessions come from. */
@FunctionalInterface
public interface SessionSource {
    /** A session from its first turn on, the same for the same chance. */
    Session next(RandomGenerator random);
}
