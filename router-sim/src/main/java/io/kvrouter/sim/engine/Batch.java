package io.kvrouter.sim.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Continuous batching: which sequences compute how many tokens in the next step. Running ones first, one token each, the
 * rest of the budget to prefill in order of arrival, in chunks where a prompt is longer than what is left.
 */
final class Batch {
    /** A sequence's share of a step. */
    record Chunk(Sequence sequence, int tokens) {}

    /** One step, decided. */
    record Plan(List<Chunk> chunks, int prefillTokens, boolean decodes) {}

    private final EngineSettings settings;
    private final BlockPool pool;
    private final Map<Long, Sequence> byId = new HashMap<>();
    private final Deque<Sequence> waiting = new ArrayDeque<>();
    private final List<Sequence> running = new ArrayList<>();
    private int most;
    private long queriedTokens;
    private long hitTokens;
    private long prefillTokens;
    private long generatedTokens;
    private long preemptions;

    Batch(EngineSettings settings, BlockPool pool) {
        this.settings = settings;
        this.pool = pool;
    }

    void enqueue(EngineRequest request) {
        var sequence = new Sequence(request);
        if (byId.putIfAbsent(request.id(), sequence) != null) {
            throw new IllegalArgumentException("request: " + request.id() + " (expected: an id not in use)");
        }
        waiting.addLast(sequence);
        most = Math.max(most, byId.size());
    }

    /** Frees the request's blocks at once, even those that the step under way is writing. */
    boolean abort(long id) {
        Sequence sequence = byId.remove(id);
        if (sequence == null) {
            return false;
        }
        running.remove(sequence);
        waiting.remove(sequence);
        sequence.leave(pool);
        return true;
    }

    boolean hasWork() {
        return !byId.isEmpty();
    }

    double usedShare() {
        return (double) pool.active() / settings.kvBlocks();
    }

    Plan plan(double atMs, List<EngineEvent> events) {
        var chunks = new ArrayList<Chunk>();
        boolean preempted = planDecodes(chunks, atMs, events);
        boolean decodes = !chunks.isEmpty();
        int budget = settings.maxStepTokens() - chunks.size();
        int left = planPrefills(chunks, budget);
        if (!preempted) {
            left = planAdmissions(chunks, left, atMs, events);
        }
        prefillTokens += budget - left;
        return new Plan(chunks, budget - left, decodes);
    }

    void complete(Plan plan, double atMs, List<EngineEvent> events) {
        for (Chunk chunk : plan.chunks()) {
            Sequence sequence = chunk.sequence();
            if (sequence.gone() || !sequence.advance(chunk.tokens(), pool, settings.blockSize())) {
                continue;
            }
            generatedTokens++;
            boolean last = sequence.finished();
            if (last) {
                abort(sequence.id());
            }
            events.add(new EngineEvent.Token(sequence.id(), atMs, sequence.generated() - 1, last));
        }
    }

    EngineStats stats(double busyMs) {
        var totals = new EngineStats.Totals(
                queriedTokens, hitTokens, prefillTokens, generatedTokens, pool.evicted(), preemptions, busyMs);
        return new EngineStats(running.size(), waiting.size(), most, pool.active(), pool.cached(), totals);
    }

    /**
     * One token for each sequence past its prefill. Who finds no block for it takes the newest one's. Whoever is planned
     * is older than all that can still be preempted, so no plan is taken back.
     */
    private boolean planDecodes(List<Chunk> chunks, double atMs, List<EngineEvent> events) {
        boolean preempted = false;
        for (int i = 0; i < running.size(); i++) {
            Sequence sequence = running.get(i);
            if (sequence.prefilling()) {
                continue;
            }
            boolean room = sequence.grow(pool, settings.blockSize());
            while (!room) {
                preempted = true;
                if (preemptNewest(atMs, events) == sequence) {
                    break;
                }
                room = sequence.grow(pool, settings.blockSize());
            }
            if (room) {
                chunks.add(new Chunk(sequence, 1));
            }
        }
        return preempted;
    }

    private Sequence preemptNewest(double atMs, List<EngineEvent> events) {
        Sequence newest = running.removeLast();
        newest.release(pool);
        waiting.addFirst(newest);
        preemptions++;
        events.add(new EngineEvent.Preempted(newest.id(), atMs));
        return newest;
    }

    private int planPrefills(List<Chunk> chunks, int budget) {
        int left = budget;
        for (Sequence sequence : running) {
            if (sequence.prefilling() && left > 0) {
                left -= addPrefill(chunks, sequence, left);
            }
        }
        return left;
    }

    private int planAdmissions(List<Chunk> chunks, int budget, double atMs, List<EngineEvent> events) {
        int left = budget;
        while (left > 0 && running.size() < settings.maxSequences()) {
            Sequence head = waiting.peekFirst();
            if (head == null || !head.admit(pool, settings.blockSize())) {
                return left;
            }
            waiting.removeFirst();
            running.add(head);
            if (head.firstAdmission()) {
                queriedTokens += head.promptTokens();
                hitTokens += head.computed();
                events.add(new EngineEvent.Admitted(head.id(), atMs, head.computed()));
            }
            left -= addPrefill(chunks, head, left);
        }
        return left;
    }

    private static int addPrefill(List<Chunk> chunks, Sequence sequence, int budget) {
        int tokens = Math.min(budget, sequence.tokensToPrefill());
        chunks.add(new Chunk(sequence, tokens));
        return tokens;
    }
}
