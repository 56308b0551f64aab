package io.kvrouter.cluster.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.NullMarked;

/** Polls for what must come true. */
@NullMarked
final class Polling {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Polling() {}

    static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        boolean met = condition.getAsBoolean();
        while (!met && System.nanoTime() < deadline) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            met = condition.getAsBoolean();
        }
        assertThat(met).isTrue();
    }
}
