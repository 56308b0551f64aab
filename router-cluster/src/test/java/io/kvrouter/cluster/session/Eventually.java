package io.kvrouter.cluster.session;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts again and again until it holds, for up to a minute. */
final class Eventually {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Eventually() {}

    static void eventually(ThrowingCallable claim) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                claim.call();
                return;
            } catch (AssertionError e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            } catch (Throwable e) {
                throw new AssertionError("claim failed to be made", e);
            }
        }
    }
}
