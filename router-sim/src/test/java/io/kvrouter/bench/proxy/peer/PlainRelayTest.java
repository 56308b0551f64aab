package io.kvrouter.bench.proxy.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlainRelayTest {
    private static final String PATH = "/v1/chat/completions";

    private final MockEngine engine = MockEngine.start();
    private final PlainRelay relay = PlainRelay.start(engine.url(), 1);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void end() {
        client.close();
        relay.close();
        engine.close();
    }

    @Test
    void passesRequestsAndAnswersOnOneAfterTheOther() throws Exception {
        String direct = post(engine.url(), "hello").body();

        assertThat(post(relay.url(), "hello").body()).isEqualTo(direct);
        assertThat(post(relay.url(), "x".repeat(3_000_000)).body()).isEqualTo(direct);
        assertThat(engine.counts()).isEqualTo(new Counts(3, 3, 3_000_010, 0));
    }

    @Test
    void passesEveryEventOfAStream() throws Exception {
        String answer = post(relay.url(), "hello", MockEngine.EVENTS, "300").body();

        assertThat(answer).hasSize(300 * Event.BYTES + Event.DONE_BYTES).endsWith("data: [DONE]\n\n");
    }

    @Test
    void passesAnEventOfABeatAtOnce() throws Exception {
        var answer = client.sendAsync(
                request(relay.url(), "hello", MockEngine.EVENTS, "3", MockEngine.PACE, MockEngine.BEAT),
                BodyHandlers.ofString());
        await(() -> engine.beat() == 1);

        assertThat(engine.beat()).isEqualTo(1);
        assertThat(answer.get(20, TimeUnit.SECONDS).body()).endsWith("data: [DONE]\n\n");
    }

    @Test
    void aClientThatDoesNotReadHoldsTheEngineUp() throws Exception {
        int events = 500_000;
        try (var reader =
                new Socket(InetAddress.getLoopbackAddress(), relay.url().getPort())) {
            String head = "POST " + PATH + " HTTP/1.1\r\nhost: r\r\ncontent-length: 0\r\n" + MockEngine.EVENTS + ": "
                    + events + "\r\n\r\n";
            reader.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            long[] last = {-1};
            await(() -> {
                long now = engine.counts().events();
                boolean stands = now > 0 && now == last[0];
                last[0] = now;
                LockSupport.parkNanos(stands ? 0 : TimeUnit.MILLISECONDS.toNanos(500));
                return stands;
            });

            assertThat(last[0]).isLessThan(events / 2L);
            assertThat(reader.getInputStream().skip((long) events * Event.BYTES))
                    .isEqualTo((long) events * Event.BYTES);
        }
    }

    private HttpResponse<String> post(URI to, String body, String... headers) throws IOException, InterruptedException {
        return client.send(request(to, body, headers), BodyHandlers.ofString());
    }

    private static HttpRequest request(URI to, String body, String... headers) {
        var request = HttpRequest.newBuilder(to.resolve(PATH))
                .timeout(Duration.ofMinutes(1))
                .POST(BodyPublishers.ofString(body));
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    private static void await(BooleanSupplier claim) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!claim.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
