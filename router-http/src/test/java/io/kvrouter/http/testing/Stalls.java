package io.kvrouter.http.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Watches for how long this machine holds threads up: what is stated for messages that come in time is shown only then. */
public final class Stalls implements AutoCloseable {
    private static final long TICK_MS = 2;

    private final Thread watch = Thread.ofPlatform().daemon().name("stalls").start(this::watch);
    private volatile boolean closed;
    private volatile long longest;

    private void watch() {
        long last = System.nanoTime();
        while (!closed) {
            try {
                TimeUnit.MILLISECONDS.sleep(TICK_MS);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            longest = Math.max(longest, now - last);
            last = now;
        }
    }

    /** The longest so far. */
    public Duration longest() {
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
        closed = true;
        watch.interrupt();
    }
}
