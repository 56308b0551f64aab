package io.kvrouter.http.upstream.netty;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.UpstreamFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class UpstreamConnectionTest extends UpstreamCalls {
    @Test
    void keepsOneConnectionForRequestsInSequence() throws Exception {
        try (MockWorker worker = MockWorker.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(answer(post(worker)));
            }

            assertThat(answers).containsOnly("ok");
            assertThat(worker.accepted()).isLessThanOrEqualTo(2); // one for each event loop
            assertThat(plane.upstream().openCalls()).isZero();
        }
    }

    @Test
    void reportsARefusedConnect() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }

        assertThat(failure(
                        call(URI.create("http://127.0.0.1:" + port), "GET", "").response()))
                .isEqualTo(UpstreamFailure.CONNECT_REFUSED);
        assertThat(failure(
                        call(URI.create("http://localhost:" + port), "GET", "").response()))
                .isEqualTo(UpstreamFailure.CONNECT_REFUSED);
        assertThat(failure(call(URI.create("http://no-such-host.invalid"), "GET", "")
                        .response()))
                .isEqualTo(UpstreamFailure.CONNECT_FAILED);
    }

    @Test
    void reportsACloseBeforeTheHeadAndSendsNothingAgain() throws Exception {
        try (MockWorker worker = new MockWorker(Peer::readMessage)) {
            assertThat(failure(post(worker).response())).isEqualTo(UpstreamFailure.RESET_BEFORE_HEAD);
            assertThat(worker.accepted()).isEqualTo(1);
        }
    }

    @Test
    void reportsAConnectionThatEndsInsideTheHead() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nContent-");
        })) {
            assertThat(failure(post(worker).response())).isEqualTo(UpstreamFailure.RESET_BEFORE_HEAD);
            assertThat(worker.accepted()).isEqualTo(1);
        }
    }

    @Test
    void doesNotNoticeThatIdleConnectionsWereClosed() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        })) {
            for (int i = 0; i < 100; i++) {
                assertThat(answer(post(worker))).isEqualTo("ok");
            }
        }
    }

    @Test
    void sendsAgainOnceWhatMetAClosingConnection() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            peer.readMessage();
        })) {
            for (int i = 0; i < 20; i++) {
                assertThat(answer(post(worker))).isEqualTo("ok");
            }
        }
    }

    @Test
    void reportsSilenceBeforeTheHeadAndInTheBody() throws Exception {
        try (MockWorker silent = new MockWorker(peer -> {
                    peer.readMessage();
                    peer.awaitClosed();
                });
                MockWorker stalling = new MockWorker(peer -> {
                    peer.readMessage();
                    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
                            .awaitClosed();
                })) {
            assertThat(failure(post(silent).response())).isEqualTo(UpstreamFailure.FIRST_BYTE_TIMEOUT);
            assertThat(bodyFailure(post(stalling))).isEqualTo(UpstreamFailure.IDLE_TIMEOUT);

            eventually("both were closed", () -> silent.finished() + stalling.finished() == 2);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void asksTheHostOfASilentWorkerWhetherItIsStillThere() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.awaitClosed();
        })) {
            Call call = post(worker);

            eventually(
                    "keep-alive in at most ten seconds",
                    () -> timers(worker.port())
                            .anyMatch(timer ->
                                    timer.startsWith("02:") && Long.parseLong(timer.substring(3), 16) <= 1_000));
            call.abort();
        }
    }

    /** Timers of the sockets that lead to a port: what for (02 is keep-alive), and hundredths of a second until then. */
    private static Stream<String> timers(int port) {
        String remote = String.format(":%04X", port);
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .flatMap(table -> lines(Path.of(table)))
                .map(line -> line.strip().split(" +"))
                .filter(fields -> fields[2].endsWith(remote))
                .map(fields -> fields[5]);
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void resetsTheConnectionOfAnAbortedCall() throws Exception {
        AtomicReference<Boolean> reset = new AtomicReference<>();
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            reset.set(peer.endsByReset());
        })) {
            Call call = post(worker);
            eventually("connected", () -> worker.accepted() == 1);

            call.abort();
            call.abort();

            assertThat(failure(call.response())).isEqualTo(UpstreamFailure.ABORTED);
            eventually("closed", () -> worker.finished() == 1);
            assertThat(plane.upstream().openCalls()).isZero();
        }
    }

    @Test
    void abortingACompleteCallLeavesItsConnectionToOthers() throws Exception {
        try (MockWorker worker = MockWorker.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) {
            for (int i = 0; i < 20; i++) {
                Call call = post(worker);
                answer(call);
                call.abort();
            }

            assertThat(worker.accepted()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void servesManyCallsAtOnceAndLeavesNoneOpen() throws Exception {
        try (MockWorker worker = MockWorker.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) {
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                calls.add(post(worker));
            }
            for (Call call : calls) {
                assertThat(answer(call)).isEqualTo("ok");
            }

            assertThat(plane.upstream().openCalls()).isZero();
        }
    }
}
