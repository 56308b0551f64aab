package io.kvrouter.sim.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A worker's engine as far as a router can tell: prefix cache, continuous batching, preemption, step times.
 *
 * <p>It has no clock. Its driver, a virtual clock in a replay or the wall clock behind HTTP, calls {@link #advanceTo} at
 * {@link #nextEventMs} or later, and before it submits or aborts anything. Times are ms on the driver's clock and never
 * run backwards. Not thread-safe.
 */
public final class Engine {
    private final EngineSettings settings;
    private final Batch batch;
    private final KvJournal journal = new KvJournal();
    private final KvEvent.Listener listener;
    private double slow;
    private double nowMs;
    private double stepEndMs;
    private double busyMs;
    private Batch.@Nullable Plan step;

    /** An engine whose cache nobody watches. */
    public Engine(EngineSettings settings) {
        this(settings, new SplittableRandom(0), (atMs, events) -> {});
    }

    /** An engine that names the blocks which it publishes by that chance, and tells its listener of them. */
    public Engine(EngineSettings settings, RandomGenerator names, KvEvent.Listener listener) {
        this.settings = settings;
        this.batch = new Batch(settings, new BlockPool(settings.kvBlocks(), names, journal));
        this.listener = listener;
        this.slow = settings.slow();
    }

    /**
     * Queues a request; it can enter the next step that starts.
     *
     * @throws IllegalArgumentException if it could never fit into the pool, or its id is in use
     */
    public void submit(EngineRequest request, double atMs) {
        if (request.totalTokens() > settings.capacityTokens()) {
            throw new IllegalArgumentException("request: " + request.totalTokens() + " tokens (expected: at most "
                    + settings.capacityTokens() + ")");
        }
        if (nextEventMs() < atMs || atMs < nowMs) {
            throw new IllegalStateException("submit at " + atMs + " (expected: after an advance to that time)");
        }
        batch.enqueue(request);
        nowMs = atMs;
    }

    /** Takes a request out at once, waiting or running; its blocks are free, what is full of them stays cached. */
    public boolean abort(long id) {
        return batch.abort(id);
    }

    /** When the next step ends or can start; infinite while there is nothing to do. */
    public double nextEventMs() {
        if (step != null) {
            return stepEndMs;
        }
        return batch.hasWork() ? nowMs : Double.POSITIVE_INFINITY;
    }

    /** Does all that happens until then, and tells it in order of time. */
    public List<EngineEvent> advanceTo(double untilMs) {
        var events = new ArrayList<EngineEvent>();
        while (nextEventMs() <= untilMs) {
            if (step == null) {
                startStep(events);
            } else {
                nowMs = stepEndMs;
                batch.complete(step, nowMs, events);
                step = null;
                tellChanges();
            }
        }
        nowMs = Math.max(nowMs, untilMs);
        return events;
    }

    /** Divides the prefill speed from the next step on. */
    public void slowDown(double factor) {
        slow = EngineSettings.positive("slow", factor);
    }

    public EngineSettings settings() {
        return settings;
    }

    public EngineStats stats() {
        return batch.stats(busyMs);
    }

    private void tellChanges() {
        List<KvEvent> changes = journal.take();
        if (!changes.isEmpty()) {
            listener.changed(nowMs, changes);
        }
    }

    private void startStep(List<EngineEvent> events) {
        Batch.Plan plan = batch.plan(nowMs, events);
        int scale = settings.tokenScale();
        double prefill = StepTime.prefillMs((long) plan.prefillTokens() * scale) * slow;
        double decode = StepTime.decodeMs(batch.usedShare()) * (plan.decodes() ? scale : 1);
        double ms = (prefill + decode) / settings.speedup();
        busyMs += ms;
        stepEndMs = nowMs + ms;
        step = plan;
    }
}
