package io.kvrouter.http.upstream.netty;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NettyUpstreamTest {
    private static Plane plane;

    @BeforeAll
    static void start() {
        plane = new Plane("kvrouter.upstream { first-byte-timeout = 300 ms, idle-timeout = 300 ms, keep-alive = 5 s }");
    }

    @AfterAll
    static void stop() throws Exception {
        plane.close();
    }

    private static Call call(URI worker, String method, String body, Header... headers) {
        return plane.upstream()
                .call(new UpstreamRequest(worker, method, "/v1/x?y=z", List.of(headers), ByteString.fromString(body)));
    }

    private static Call post(MockWorker worker) {
        return call(worker.url(), "POST", "hello");
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static String text(UpstreamResponse response) throws Exception {
        return get(response.body().runWith(Sink.fold(ByteString.emptyByteString(), ByteString::concat), plane.system()))
                .utf8String();
    }

    private static String answer(Call call) throws Exception {
        return text(get(call.response()));
    }

    private static UpstreamFailure failure(CompletionStage<?> stage) throws Exception {
        try {
            get(stage);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UpstreamException why) {
                return why.failure();
            }
            throw e;
        }
        throw new AssertionError("did not fail");
    }

    private static UpstreamFailure bodyFailure(Call call) throws Exception {
        return failure(get(call.response()).body().runWith(Sink.ignore(), plane.system()));
    }

    @Test
    void sendsTheRequestAsItWasGivenWithHostAndLengthOfItsOwn() throws Exception {
        AtomicReference<Peer.Message> seen = new AtomicReference<>();
        try (MockWorker worker = new MockWorker(peer -> {
            seen.set(peer.readMessage());
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").awaitClosed();
        })) {
            URI base = URI.create(worker.url() + "/base");
            answer(call(
                    base,
                    "POST",
                    "gr\u00fc\u00dfe",
                    new Header("X-Custom", "1"),
                    new Header("Content-Length", "99"),
                    new Header("Connection", "close, X-Hop"),
                    new Header("X-Hop", "1"),
                    new Header("Host", "elsewhere")));

            assertThat(seen.get().head())
                    .isEqualTo("POST /base/v1/x?y=z HTTP/1.1\r\nHost: 127.0.0.1:" + worker.port()
                            + "\r\nX-Custom: 1\r\nContent-Length: 7\r\n\r\n");
            assertThat(seen.get().text()).isEqualTo("gr\u00fc\u00dfe");
        }
    }

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
    void readsChunksAndSkipsInterimAnswers() throws Exception {
        String answer = """
                HTTP/1.1 100 Continue

                HTTP/1.1 103 Early Hints
                A: b

                HTTP/1.1 200 Fine
                Transfer-Encoding: chunked
                Set-Cookie: a
                Set-Cookie: b
                Keep-Alive: timeout=5

                3
                abc
                2;x=y
                de
                0
                T: t

                """;
        try (MockWorker worker = MockWorker.answering(answer.replace("\n", "\r\n"))) {
            for (int i = 0; i < 4; i++) {
                UpstreamResponse response = get(post(worker).response());

                assertThat(response.reason()).isEqualTo("Fine");
                assertThat(response.headers())
                        .containsExactly(new Header("Set-Cookie", "a"), new Header("Set-Cookie", "b"));
                assertThat(response.length()).isEmpty();
                assertThat(text(response)).isEqualTo("abcde");
            }
            assertThat(worker.accepted()).isLessThanOrEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void knowsAnswersWithoutBody(String status) throws Exception {
        try (MockWorker worker = MockWorker.answering("HTTP/1.1 " + status + "\r\n\r\n")) {
            for (int i = 0; i < 4; i++) {
                assertThat(answer(post(worker))).isEmpty();
            }
            assertThat(worker.accepted()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void takesTheLengthOfAnAnswerToHeadForTheLengthThatGetWouldHave() throws Exception {
        try (MockWorker worker = MockWorker.answering("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")) {
            for (int i = 0; i < 4; i++) {
                UpstreamResponse response = get(call(worker.url(), "HEAD", "").response());

                assertThat(response.length()).hasValue(100);
                assertThat(text(response)).isEmpty();
            }
        }
    }

    @Test
    void readsABodyThatEndsWithItsConnection() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\n\r\nall of it");
        })) {
            assertThat(answer(post(worker))).isEqualTo("all of it");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"
            })
    void reportsABodyThatEndsBeforeItsFraming(String answer) throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send(answer);
        })) {
            assertThat(bodyFailure(post(worker))).isEqualTo(UpstreamFailure.TRUNCATED);
        }
    }

    @Test
    void reportsAResetInABodyThatEndsWithItsConnection() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\n\r\nhalf");
            Thread.sleep(50);
            peer.reset();
        })) {
            assertThat(bodyFailure(post(worker))).isEqualTo(UpstreamFailure.TRUNCATED);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nab\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n"
            })
    void reportsBadFramingAndNeverUsesTheConnectionAgain(String answer) throws Exception {
        try (MockWorker worker = MockWorker.answering(answer)) {
            assertThat(bodyFailure(post(worker))).isEqualTo(UpstreamFailure.BAD_RESPONSE);
            assertThat(bodyFailure(post(worker))).isEqualTo(UpstreamFailure.BAD_RESPONSE);

            eventually("both were closed", () -> worker.finished() == 2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
                "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"
            })
    void reportsAHeadThatIsNotHttp(String answer) throws Exception {
        try (MockWorker worker = MockWorker.answering(answer)) {
            assertThat(failure(post(worker).response())).isEqualTo(UpstreamFailure.BAD_RESPONSE);

            eventually("closed", () -> worker.finished() == 1);
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
