package io.kvrouter.bench.proxy.peer;

/** Counts what an engine sees. Confined to its loop. */
final class EngineTally {
    private long received;
    private long finished;
    private long bodyBytes;

    void body(int bytes) {
        bodyBytes += bytes;
    }

    void received() {
        received++;
    }

    void finished() {
        finished++;
    }

    Counts counts(EventStreams streams) {
        return new Counts(received, finished, bodyBytes, streams.events());
    }

    String json(EventStreams streams) {
        return "{\"received\":%d,\"finished\":%d,\"bodyBytes\":%d,\"events\":%d}"
                .formatted(received, finished, bodyBytes, streams.events());
    }
}
