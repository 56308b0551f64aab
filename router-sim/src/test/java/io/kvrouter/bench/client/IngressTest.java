package io.kvrouter.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IngressTest {
    private final ClientThread thread = new ClientThread();

    @AfterEach
    void end() {
        thread.close();
    }

    @Test
    void callsBeyondItsPlacesWaitAndAreAnsweredToo() {
        try (var worker = SimulatedWorker.start(SimSettings.DEFAULT)) {
            var ingress = new Ingress(worker.url(), 2, thread);

            List<Outcome> outcomes =
                    send(ingress, 5).stream().map(IngressTest::await).toList();

            assertThat(outcomes)
                    .hasSize(5)
                    .allSatisfy(outcome -> assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Answered.class,
                                    answered ->
                                            assertThat(answered.head().good()).isTrue()));
        }
    }

    @Test
    void whatWaitsCanBeTakenBack() throws IOException {
        try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            var ingress = new Ingress(url(silent), 1, thread);
            List<CompletableFuture<Outcome>> sent = send(ingress, 3);

            thread.loop().execute(ingress::takeBackWaiting);

            assertThat(await(sent.get(1))).isEqualTo(Outcome.Unanswered.NOT_SENT);
            assertThat(await(sent.get(2))).isEqualTo(Outcome.Unanswered.NOT_SENT);
            assertThat(sent.getFirst()).isNotDone();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNodeThatIsGoneTakesNoConnection(boolean http2) throws IOException {
        URI gone;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gone = url(socket);
        }

        var ingress = new Ingress(gone, new Wire(http2, Optional.empty()), 1, thread);

        assertThat(await(send(ingress, 1).getFirst())).isEqualTo(Outcome.Unanswered.NOT_CONNECTED);
    }

    @Test
    void aNodeThatDoesNotSpeakHttp2TakesNoConnectionOfIt() {
        try (var worker = SimulatedWorker.start(SimSettings.DEFAULT)) {
            var ingress = new Ingress(worker.url(), new Wire(true, Optional.empty()), 1, thread);

            assertThat(send(ingress, 2))
                    .allSatisfy(sent -> assertThat(await(sent)).isEqualTo(Outcome.Unanswered.NOT_CONNECTED));
        }
    }

    @Test
    void anAnswerThatBreaksOffIsNone() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Outcome> sent =
                    send(new Ingress(url(server), 1, thread), 1).getFirst();

            try (var connection = server.accept()) {
                connection.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-le".getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(await(sent)).isEqualTo(Outcome.Unanswered.BROKEN_OFF);
        }
    }

    private static URI url(ServerSocket socket) {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    private List<CompletableFuture<Outcome>> send(Ingress ingress, int count) {
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            var outcome = new CompletableFuture<Outcome>();
            outcomes.add(outcome);
            thread.loop().execute(() -> ingress.send(new Models(outcome)));
        }
        return outcomes;
    }

    private static Outcome await(CompletableFuture<Outcome> outcome) {
        return outcome.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private record Models(CompletableFuture<Outcome> outcome) implements Call {
        @Override
        public byte[] request() {
            return "GET /v1/models HTTP/1.1\r\nhost: sim\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public void ended(Outcome what) {
            outcome.complete(what);
        }
    }
}
