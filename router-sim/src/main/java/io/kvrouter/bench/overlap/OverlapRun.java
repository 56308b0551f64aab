package io.kvrouter.bench.overlap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Conversations without session ids, so that every turn is selected by what the router knows of the caches: for each the
 * overlap that it told is compared with the cached tokens in the worker's usage.
 */
public final class OverlapRun implements AutoCloseable {
    private static final int OK = 200;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final URI router;
    private final Shape shape;
    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger left;
    private final AtomicInteger conversations = new AtomicInteger();
    private final List<Comparison> compared = Collections.synchronizedList(new ArrayList<>());

    /**
     * How much is sent.
     *
     * @param concurrency conversations at a time
     * @param pause before each turn
     */
    public record Shape(String model, int requests, int concurrency, Pause pause, long seed) {}

    /** What lies between an answer and the next turn. */
    @FunctionalInterface
    public interface Pause {
        /** Some time, as of one who thinks. */
        static Pause of(Duration time) {
            return () -> LockSupport.parkNanos(time.toNanos());
        }

        /** Returns when it is over. */
        void await() throws IOException, InterruptedException;
    }

    private OverlapRun(URI router, Shape shape) {
        this.router = router;
        this.shape = shape;
        this.left = new AtomicInteger(shape.requests());
    }

    /** Sends all of it. */
    public static List<Comparison> run(URI router, Shape shape) throws IOException, InterruptedException {
        try (var run = new OverlapRun(router, shape);
                var threads = Executors.newFixedThreadPool(shape.concurrency())) {
            Callable<Void> lane = run::lane;
            for (Future<Void> done : threads.invokeAll(Collections.nCopies(shape.concurrency(), lane))) {
                done.get();
            }
            return List.copyOf(run.compared);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        }
    }

    private Void lane() throws IOException, InterruptedException {
        while (left.get() > 0) {
            int number = conversations.getAndIncrement();
            var conversation = new Conversation(new SplittableRandom(shape.seed() + number));
            for (int turn = 0; !conversation.over() && left.getAndDecrement() > 0; turn++) {
                shape.pause().await();
                compared.add(turn(conversation, number, turn));
            }
        }
        return null;
    }

    private Comparison turn(Conversation conversation, int number, int turn) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(router.resolve("/v1/chat/completions"))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(conversation.next(shape.model())))
                .build();
        int others = inFlight.getAndIncrement();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        inFlight.decrementAndGet();
        if (response.statusCode() != OK) {
            throw new IOException("a request was answered with " + response.statusCode());
        }
        JsonNode answer = json.readTree(response.body());
        conversation.answered(
                answer.path("choices").path(0).path("message").path("content").asText());
        JsonNode usage = answer.path("usage");
        return new Comparison(
                number,
                turn,
                response.headers().firstValue("x-router-worker").orElse(""),
                usage.path("prompt_tokens").asLong(),
                response.headers().firstValueAsLong("x-router-overlap-tokens").orElse(-1),
                usage.path("prompt_tokens_details").path("cached_tokens").asLong(),
                others);
    }

    @Override
    public void close() {
        client.close();
    }
}
