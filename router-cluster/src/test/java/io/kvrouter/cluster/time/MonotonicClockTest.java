package io.kvrouter.cluster.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MonotonicClockTest {
    private final AtomicLong nanos = new AtomicLong(-5);

    @Test
    void goesOnFromItsAnchorWithTheMonotonicClock() {
        var clock = new MonotonicClock(1_000, nanos::get);

        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(250));

        assertThat(clock.millis()).isEqualTo(1_250);
        assertThat(clock.instant()).isEqualTo(Instant.ofEpochMilli(1_250));
    }

    @Test
    void startsAtTheSystemsTime() {
        assertThat(MonotonicClock.start().instant())
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
    }
}
