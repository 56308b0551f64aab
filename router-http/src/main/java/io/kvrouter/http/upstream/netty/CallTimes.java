package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamSettings;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The times of one call, used on its event loop: one timer that looks when a time could be over, instead of one that each
 * chunk moves.
 */
final class CallTimes {
    /** How often it is looked, before the head of the answer, whether the worker's host hears the request. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final EventLoop loop;
    private final UpstreamSettings settings;
    private final Runnable look;
    private @Nullable Future<?> watch;
    private boolean answered;
    private long begunAt;
    private long heardAt;

    /** @param look is run when a time could be over, and asks {@link #over} */
    CallTimes(EventLoop loop, UpstreamSettings settings, Runnable look) {
        this.loop = loop;
        this.settings = settings;
        this.look = look;
    }

    void begin() {
        begunAt = System.nanoTime();
    }

    /** The request was sent, or sent again: from now on the worker has time. */
    void sent() {
        heard();
        if (watch == null) {
            watchAfter(limit());
        }
    }

    /** The head of the answer came. */
    void answered() {
        answered = true;
        heard();
        end();
        watchAfter(limit());
    }

    /** A part of the answer came. */
    void heard() {
        heardAt = System.nanoTime();
    }

    /** The call is over. */
    void end() {
        if (watch != null) {
            watch.cancel(false);
        }
    }

    /**
     * The time that is over, if one is; else it is looked again.
     *
     * @param waitsForReader it is not the worker that all wait for
     */
    Optional<UpstreamFailure> over(boolean waitsForReader) {
        long now = System.nanoTime();
        if (waitsForReader) {
            heardAt = now;
        }
        if (totalLeft(now) <= 0) {
            return Optional.of(UpstreamFailure.TOTAL_TIMEOUT);
        }
        long left = limit() - (now - heardAt);
        if (left <= 0) {
            return Optional.of(answered ? UpstreamFailure.IDLE_TIMEOUT : UpstreamFailure.FIRST_BYTE_TIMEOUT);
        }
        watchAfter(left);
        return Optional.empty();
    }

    private long limit() {
        return (answered ? settings.idleTimeout() : settings.firstByteTimeout()).toNanos();
    }

    private long totalLeft(long now) {
        return settings.totalTimeout().toNanos() - (now - begunAt);
    }

    private void watchAfter(long nanos) {
        long left = Math.min(nanos, totalLeft(System.nanoTime()));
        long next = answered ? left : Math.min(left, LOOK_NANOS);
        watch = loop.schedule(look, Math.max(next, 1_000_000), TimeUnit.NANOSECONDS);
    }
}
