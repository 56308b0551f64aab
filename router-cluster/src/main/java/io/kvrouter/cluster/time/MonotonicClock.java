package io.kvrouter.cluster.time;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Wall-clock time that never jumps: anchored when the process starts, carried on by the monotonic clock. A stepped
 * system clock neither expires sessions nor lets them live too long.
 */
public final class MonotonicClock implements InstantSource {
    private final long anchorMs;
    private final long anchorNanos;
    private final LongSupplier nanos;

    MonotonicClock(long anchorMs, LongSupplier nanos) {
        this.anchorMs = anchorMs;
        this.nanos = nanos;
        this.anchorNanos = nanos.getAsLong();
    }

    /** Anchored now at the system's clock. */
    public static MonotonicClock start() {
        return new MonotonicClock(InstantSource.system().millis(), System::nanoTime);
    }

    @Override
    public long millis() {
        return anchorMs + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - anchorNanos);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }
}
