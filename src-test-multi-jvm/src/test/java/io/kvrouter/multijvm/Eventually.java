package io.kvrouter.multijvm;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Polls for what must come true, with a limit that only a broken product reaches. */
final class Eventually {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Eventually() {}

    /** Returns as soon as the claim holds; fails as the claim does when patience is over. */
    static void eventually(ThrowingCallable claim) throws Throwable {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                claim.call();
                return;
            } catch (AssertionError | Exception e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
