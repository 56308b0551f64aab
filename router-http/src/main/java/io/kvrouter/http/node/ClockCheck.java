package io.kvrouter.http.node;

import io.kvrouter.cluster.load.LoadView;
import io.kvrouter.cluster.load.NodeLoad;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this node's clock agrees with the others'. Deadlines of bindings are wall-clock times that every node compares
 * with its own clock, so one that is further off than the allowed skew says so and is not ready. The middle of the
 * others' offsets decides: one other node with a wrong clock does not take this one out.
 */
final class ClockCheck implements BooleanSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(ClockCheck.class);

    private final Supplier<LoadView> load;
    private final long skewMs;
    private final AtomicBoolean agreed = new AtomicBoolean(true);

    ClockCheck(Supplier<LoadView> load, Duration skew) {
        this.load = load;
        this.skewMs = skew.toMillis();
    }

    @Override
    public boolean getAsBoolean() {
        long offset = middleOffset();
        boolean agrees = Math.abs(offset) <= skewMs;
        if (agreed.getAndSet(agrees) != agrees) {
            LOG.warn("this node's clock is {} ms off the others' (allowed: {} ms)", -offset, skewMs);
        }
        return agrees;
    }

    private long middleOffset() {
        long[] offsets = load.get().nodes().stream()
                .mapToLong(NodeLoad::clockOffsetMs)
                .sorted()
                .toArray();
        return offsets.length == 0 ? 0 : offsets[offsets.length / 2];
    }
}
