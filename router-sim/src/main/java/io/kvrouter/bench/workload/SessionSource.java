package io.kvrouter.bench.workload;

import java.util.random.RandomGenerator;

/** Where sessions come from. */
public interface SessionSource {
    /** What they are, for a report. */
    String title();

    /** A session from its first turn on, the same for the same chance. */
    Session next(RandomGenerator random);
}
