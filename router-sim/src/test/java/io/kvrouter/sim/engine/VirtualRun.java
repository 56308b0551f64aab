package io.kvrouter.sim.engine;

import java.util.ArrayList;
import java.util.List;

/** Drives an engine on a virtual clock and keeps what it told. */
final class VirtualRun {
    static final int BLOCK = 4;

    final Engine engine;
    final List<EngineEvent> events = new ArrayList<>();
    private double nowMs;

    VirtualRun(EngineSettings settings) {
        this(new Engine(settings));
    }

    VirtualRun(Engine engine) {
        this.engine = engine;
    }

    static EngineSettings pool(int blocks) {
        return EngineSettings.DEFAULT.withPool(blocks, BLOCK);
    }

    /** A prompt whose blocks are those of the conversation with this name. */
    static EngineRequest request(long id, long conversation, int promptTokens, int outputTokens) {
        long[] hashes = new long[promptTokens / BLOCK];
        long hash = conversation;
        for (int i = 0; i < hashes.length; i++) {
            hash = BlockHashes.mix(hash, i);
            hashes[i] = hash;
        }
        return new EngineRequest(id, Passage.ofTrace(promptTokens, hashes, outputTokens));
    }

    VirtualRun submit(EngineRequest request) {
        engine.submit(request, nowMs);
        return this;
    }

    void drain() {
        while (engine.nextEventMs() < Double.POSITIVE_INFINITY) {
            step();
        }
    }

    /** To the next start or end of a step. */
    void step() {
        nowMs = engine.nextEventMs();
        events.addAll(engine.advanceTo(nowMs));
    }

    /** Serves a request alone, and says how much of its prompt was cached. */
    int cachedTokens(EngineRequest request) {
        events.clear();
        submit(request).drain();
        return admitted(request.id()).cachedTokens();
    }

    EngineEvent.Admitted admitted(long id) {
        return of(EngineEvent.Admitted.class, id).getFirst();
    }

    List<EngineEvent.Token> tokens(long id) {
        return of(EngineEvent.Token.class, id);
    }

    <E extends EngineEvent> List<E> of(Class<E> type, long id) {
        return events.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(event -> event.id() == id)
                .toList();
    }

    double nowMs() {
        return nowMs;
    }
}
