package io.kvrouter.sim.server;

import static io.kvrouter.sim.server.Client.eventually;
import static io.kvrouter.sim.server.Client.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String SHORT = "{\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
    private static final String LONG_STREAM =
            "{\"stream\":true,\"max_tokens\":100000,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
    private static final String LONG_WHOLE =
            "{\"max_tokens\":100000,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";

    private final SimulatedFleet fleet = SimulatedFleet.start(2, 0, SimSettings.DEFAULT);
    private final SimulatedWorker worker = fleet.worker(0);
    private final Client client = new Client(worker.url());

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Nested
    class WhenTheClientLeaves {
        @ParameterizedTest
        @CsvSource({"true, false", "true, true", "false, false", "false, true"})
        void itsSequenceIsAborted(boolean stream, boolean reset) throws IOException {
            Socket socket = client.open(CHAT, stream ? LONG_STREAM : LONG_WHOLE);
            eventually(() -> worker.stats().running() == 1);
            if (stream) {
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }

            leave(socket, reset);

            eventually(() -> outcome(0).equals("client_gone"));
            assertThat(worker.stats().running()).isZero();
            assertThat(worker.stats().activeBlocks()).isZero();
            assertThat(worker.openConnections()).isZero();
        }

        @ParameterizedTest
        @CsvSource({"x-sim-stall, 1", "x-sim-delay-ms, 600000"})
        void beforeTheHeadOfADelayedAnswerItIsNoticed(String header, String value) throws IOException {
            Socket socket = client.open(CHAT, SHORT, header, value);
            eventually(() -> worker.requests().size() == 1);
            assertThat(outcome(0)).isEqualTo("running");

            leave(socket, false);

            eventually(() -> outcome(0).equals("client_gone"));
        }

        @Test
        void theStateTellsThatItsConnectionIsClosed() throws IOException {
            Socket socket = client.open(CHAT, LONG_STREAM);
            eventually(() ->
                    json(client.get("/sim/state")).path("open_connections").asInt() == 1);

            leave(socket, true);

            eventually(() ->
                    json(client.get("/sim/state")).path("open_connections").asInt() == 0);
        }

        private void leave(Socket socket, boolean reset) throws IOException {
            if (reset) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        }
    }

    @Nested
    class OfOneRequest {
        @Test
        void aDelayedAnswerComesAfterTheDelay() {
            client.post(CHAT, SHORT, "x-sim-delay-ms", "300");

            var logged = worker.requests().getFirst();
            assertThat(logged.path("ended_ms").asLong()
                            - logged.path("arrival_ms").asLong())
                    .isGreaterThanOrEqualTo(299);
        }

        @ParameterizedTest
        @CsvSource({"503, true", "429, true", "500, false", "404, false"})
        void theOrderedStatusIsAnswered(int status, boolean retryAfter) {
            HttpResponse<String> response = client.post(CHAT, SHORT, "x-sim-status", "" + status);

            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(json(response).path("error").path("message").asText()).isNotEmpty();
            assertThat(response.headers().firstValue("retry-after").isPresent()).isEqualTo(retryAfter);
            assertThat(outcome(0)).isEqualTo("failed");
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 100, 700})
        void theBodyIsCutAfterSoManyBytes(int bytes) throws IOException {
            Socket socket = client.open(CHAT, LONG_WHOLE.replace("100000", "300"), "x-sim-cut-after-bytes", "" + bytes);

            String received = readUntilReset(socket);

            int head = received.indexOf("\r\n\r\n") + 4;
            assertThat(received).startsWith("HTTP/1.1 200 OK");
            assertThat(received.length() - head).isEqualTo(bytes);
            assertThat(outcome(0)).isEqualTo("failed");
        }

        @Test
        void aStreamIsCutInTheMiddle() throws IOException {
            Socket socket = client.open(CHAT, LONG_STREAM, "x-sim-cut-after-bytes", "1000");

            String received = readUntilReset(socket);

            assertThat(received).contains("data: {").doesNotContain("[DONE]");
            assertThat(worker.stats().running()).isZero();
        }

        @Test
        void aCutBeyondTheBodyCutsNothing() {
            assertThat(client.post(CHAT, SHORT, "x-sim-cut-after-bytes", "100000")
                            .statusCode())
                    .isEqualTo(200);
        }

        @ParameterizedTest
        @CsvSource({"x-sim-delay-ms, soon", "x-sim-status, 200", "x-sim-cut-after-bytes, -1"})
        void aFaultThatMakesNoSenseIsRefused(String header, String value) {
            assertThat(client.post(CHAT, SHORT, header, value).statusCode()).isEqualTo(400);
        }

        private String readUntilReset(Socket socket) {
            var received = new StringBuilder();
            assertThatThrownBy(() -> {
                        for (int next = socket.getInputStream().read();
                                next >= 0;
                                next = socket.getInputStream().read()) {
                            received.append((char) next);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("reset");
            return received.toString();
        }
    }

    @Nested
    class OfTheWholeWorker {
        @Test
        void aRestartDropsCacheAndConnectionsAndChangesTheStartTime() {
            client.post(CHAT, SHORT.replace("hello", "hello".repeat(100)));
            double before = startTime();
            CompletableFuture<HttpResponse<String>> underWay = client.postAsync(CHAT, LONG_STREAM);
            eventually(() -> worker.stats().running() == 1);

            assertThat(order("{\"restart\":true}").statusCode()).isEqualTo(200);

            assertThatThrownBy(underWay::join).isInstanceOf(CompletionException.class);
            assertThat(outcome(1)).isEqualTo("failed");
            assertThat(worker.stats().cachedBlocks()).isZero();
            assertThat(worker.stats().running()).isZero();
            assertThat(startTime()).isGreaterThan(before);
        }

        @Test
        void aRefusingPortListensAgainWhenToldThroughANeighbour() {
            var neighbour = new Client(fleet.worker(1).url());

            assertThat(order("{\"refuse\":true}").statusCode()).isEqualTo(200);

            assertThatThrownBy(() -> client.get("/health")).hasRootCauseInstanceOf(IOException.class);
            neighbour.post("/sim/faults", "{\"worker\":" + worker.port() + ",\"refuse\":false}");
            assertThat(client.get("/health").statusCode()).isEqualTo(200);
        }

        @Test
        void aRefusingPortListensAgainWhenToldFromJava() {
            client.get("/health");
            worker.refuse();
            assertThatThrownBy(() -> client.get("/health")).hasRootCauseInstanceOf(IOException.class);

            worker.accept();

            assertThat(client.get("/health").statusCode()).isEqualTo(200);
        }

        @Test
        void healthAnswersAsOrdered() {
            order("{\"health_status\":503}");
            assertThat(client.get("/health").statusCode()).isEqualTo(503);

            order("{\"health_status\":200}");

            assertThat(client.get("/health").statusCode()).isEqualTo(200);
        }

        @Test
        void completionsFailForAWhile() {
            order("{\"status\":503,\"for_ms\":400}");
            HttpResponse<String> refused = client.post(CHAT, SHORT);

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("retry-after")).hasValue("1");
            eventually(() -> client.post(CHAT, SHORT).statusCode() == 200);
        }

        @Test
        void theLaterOfTwoOrdersHolds() {
            order("{\"status\":503,\"for_ms\":100}");
            order("{\"status\":429}");
            client.post(CHAT, SHORT, "x-sim-delay-ms", "200");

            assertThat(client.post(CHAT, SHORT).statusCode()).isEqualTo(429);
        }

        @ParameterizedTest
        @ValueSource(strings = {"{\"restat\":true}", "{\"slow\":0}", "{\"status\":99}", "{\"worker\":1}", "no"})
        void anOrderThatMakesNoSenseIsRefused(String order) {
            assertThat(order(order).statusCode()).isEqualTo(400);
        }

        private HttpResponse<String> order(String body) {
            return client.post("/sim/faults", body);
        }

        private double startTime() {
            return client.get("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("process_start_time_seconds "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aPortInUseIsNamed() {
        assertThatThrownBy(() -> SimulatedWorker.start(SimSettings.DEFAULT, worker.port()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("port " + worker.port());
    }

    @Test
    void requestsOnOneConnectionAreAnsweredInOrder() throws IOException {
        Socket socket = client.open(CHAT, SHORT.replace("}]}", "}],\"max_tokens\":2}"));
        socket.getOutputStream()
                .write("GET /v1/models HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));

        String received = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(received.indexOf("chat.completion")).isPositive();
        assertThat(received.indexOf("max_model_len")).isGreaterThan(received.indexOf("chat.completion"));
    }

    private String outcome(int index) {
        return worker.requests().get(index).path("outcome").asText();
    }
}
