package io.kvrouter.sim.server;

import io.kvrouter.sim.engine.Engine;
import io.kvrouter.sim.engine.EngineEvent;
import io.kvrouter.sim.engine.EngineRequest;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.engine.EngineStats;
import io.kvrouter.sim.engine.KvEvent;
import io.kvrouter.sim.engine.Passage;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The model driven by the wall clock: a timer on the worker's event loop at each start and end of a step. Confined to
 * that loop. A late timer catches up, so the engine never runs slower than its model; only the delivery is late.
 */
final class LiveEngine {
    private static final double NANOS_PER_MS = 1e6;

    private final EventLoop loop;
    private final EngineSettings settings;
    private final long epochNanos = System.nanoTime();
    private final Map<Long, Consumer<EngineEvent>> listeners = new HashMap<>();
    private final SplittableRandom seeds;
    private final KvEvent.Listener cache;
    private Engine engine;
    private long lastId;
    private @Nullable ScheduledFuture<?> timer;

    /**
     * @param seed of the names under which blocks are published
     * @param cache hears of them, on the loop, before anyone hears of the tokens that the same step made
     */
    LiveEngine(EventLoop loop, EngineSettings settings, long seed, KvEvent.Listener cache) {
        this.loop = loop;
        this.settings = settings;
        this.seeds = new SplittableRandom(seed);
        this.cache = cache;
        this.engine = newEngine();
    }

    /** Queues a sequence; its events go to the listener, on the loop, never from inside this call. */
    long submit(Passage passage, Consumer<EngineEvent> listener) {
        double now = catchUp();
        long id = ++lastId;
        engine.submit(new EngineRequest(id, passage), now);
        listeners.put(id, listener);
        arm();
        return id;
    }

    /** Drops a sequence and frees its blocks; its listener hears no more. */
    void abort(long id) {
        listeners.remove(id);
        engine.abort(id);
    }

    void slowDown(double factor) {
        engine.slowDown(factor);
    }

    /** All sequences and the whole cache are gone; time goes on. */
    void restart() {
        listeners.clear();
        engine = newEngine();
        arm();
    }

    EngineStats stats() {
        return engine.stats();
    }

    private Engine newEngine() {
        return new Engine(settings, seeds.split(), cache);
    }

    private double catchUp() {
        double now = (System.nanoTime() - epochNanos) / NANOS_PER_MS;
        for (EngineEvent event : engine.advanceTo(now)) {
            Consumer<EngineEvent> listener = listeners.get(event.id());
            if (event instanceof EngineEvent.Token token && token.last()) {
                listeners.remove(event.id());
            }
            if (listener != null) {
                listener.accept(event);
            }
        }
        return now;
    }

    private void onTimer() {
        catchUp();
        arm();
    }

    private void arm() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        double next = engine.nextEventMs();
        if (next < Double.POSITIVE_INFINITY) {
            long dueNanos = epochNanos + (long) Math.ceil(next * NANOS_PER_MS);
            timer = loop.schedule(this::onTimer, dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }
}
