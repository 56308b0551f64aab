package io.kvrouter.sim.engine;

/** What happened to one request, and when (ms on the driver's clock). */
public sealed interface EngineEvent {
    long id();

    double atMs();

    /**
     * The request left the queue and holds its blocks.
     *
     * @param cachedTokens prompt tokens found in the prefix cache; they are not computed
     */
    record Admitted(long id, double atMs, int cachedTokens) implements EngineEvent {}

    /**
     * One more token of the answer exists; the first one means that the prefill is complete.
     *
     * @param index from 0
     * @param last no further token follows: the request has left the engine
     */
    record Token(long id, double atMs, int index, boolean last) implements EngineEvent {}

    /** The request lost its blocks to older ones and waits at the head of the queue to be computed again. */
    record Preempted(long id, double atMs) implements EngineEvent {}
}
