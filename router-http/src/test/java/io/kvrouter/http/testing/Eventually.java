package io.kvrouter.http.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Polls for what must come true. */
public final class Eventually {
    private Eventually() {}

    public static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        boolean met = condition.getAsBoolean();
        while (!met && System.nanoTime() < deadline) {
            Thread.sleep(5);
            met = condition.getAsBoolean();
        }
        assertThat(met).as(what).isTrue();
    }
}
