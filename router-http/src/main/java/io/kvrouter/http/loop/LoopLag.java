package io.kvrouter.http.loop;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How late each event loop runs a timed task that does nothing. Whatever blocks a loop delays every stream on it, and
 * shows here first.
 */
public final class LoopLag implements AutoCloseable {
    private final AtomicLongArray worstNanos;
    private final List<ScheduledFuture<?>> probes = new ArrayList<>();

    private LoopLag(int loops) {
        worstNanos = new AtomicLongArray(loops);
    }

    /** Starts a probe on each loop, once in every interval (100 ms costs nothing measurable). */
    public static LoopLag watch(EventLoops loops, Duration interval) {
        List<EventLoop> all = loops.all();
        LoopLag lag = new LoopLag(all.size());
        for (int i = 0; i < all.size(); i++) {
            lag.probe(i, all.get(i), interval.toNanos());
        }
        return lag;
    }

    private void probe(int index, EventLoop loop, long interval) {
        long[] due = {System.nanoTime() + interval};
        probes.add(loop.scheduleWithFixedDelay(
                () -> {
                    long now = System.nanoTime();
                    worstNanos.accumulateAndGet(index, now - due[0], Math::max);
                    due[0] = now + interval;
                },
                interval,
                interval,
                TimeUnit.NANOSECONDS));
    }

    /** The greatest delay of each loop since the last call, which starts the next measure. */
    public List<Duration> worstSinceLastRead() {
        List<Duration> worst = new ArrayList<>(worstNanos.length());
        for (int i = 0; i < worstNanos.length(); i++) {
            worst.add(Duration.ofNanos(worstNanos.getAndSet(i, 0)));
        }
        return worst;
    }

    @Override
    public void close() {
        probes.forEach(probe -> probe.cancel(false));
    }
}
