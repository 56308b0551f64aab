package io.kvrouter.bench.prompt;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Requests to a node, one at a time, and the CPU time that its process takes for them. */
final class EndToEnd implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int OK = 200;
    private static final int ATTEMPTS_TO_REACH = 300;
    private static final long BETWEEN_ATTEMPTS_NANOS = 100_000_000;

    /** A pinned turn is tokenized beside its answer: what is left of that belongs to the turns before the pause. */
    private static final long PAUSE_NANOS = 100_000_000;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI completions;
    private final LongSupplier cpuNanos;

    EndToEnd(URI router, LongSupplier cpuNanos) {
        this.completions = router.resolve("/v1/chat/completions");
        this.cpuNanos = cpuNanos;
    }

    /** One request of a round. */
    @SuppressWarnings("ArrayRecordComponent") // hundreds of kilobytes: never compared, never copied
    record Sent(byte[] body, Optional<String> session) {}

    /**
     * What a round gave.
     *
     * @param nanosPerRequest CPU time of the router's process
     * @param overlap prompt tokens that the router took to be cached at the worker, in all; without those of requests
     *     for which it does not tell
     */
    record Outcome(long nanosPerRequest, long overlap) {}

    /** The router takes requests before it has found the worker to be healthy. */
    void awaitWorker(byte[] body) throws IOException, InterruptedException {
        for (int attempt = 0; send(new Sent(body, Optional.empty())).statusCode() != OK; attempt++) {
            if (attempt == ATTEMPTS_TO_REACH) {
                throw new IOException("the router does not reach its worker");
            }
            LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
        }
    }

    Outcome run(List<Sent> round) throws IOException, InterruptedException {
        long before = cpuNanos.getAsLong();
        long overlap = 0;
        for (Sent request : round) {
            HttpResponse<String> answer = send(request);
            if (answer.statusCode() != OK) {
                throw new IOException("a request was answered with " + answer.statusCode());
            }
            overlap +=
                    answer.headers().firstValueAsLong("x-router-overlap-tokens").orElse(0);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        return new Outcome((cpuNanos.getAsLong() - before) / round.size(), overlap);
    }

    private HttpResponse<String> send(Sent sent) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(completions)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(sent.body()));
        sent.session().ifPresent(id -> request.header("x-session-id", id));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.close();
    }
}
