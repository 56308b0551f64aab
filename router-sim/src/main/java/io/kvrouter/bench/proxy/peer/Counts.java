package io.kvrouter.bench.proxy.peer;

/**
 * What a {@link MockEngine} has seen since it started.
 *
 * @param received requests for a completion
 * @param finished those that it answered whole
 * @param bodyBytes of these requests
 * @param events sent in all streams
 */
public record Counts(long received, long finished, long bodyBytes, long events) {
    /** What came after these. */
    public Counts since(Counts before) {
        return new Counts(
                received - before.received,
                finished - before.finished,
                bodyBytes - before.bodyBytes,
                events - before.events);
    }
}
