package io.kvrouter.http.upstream.netty;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamFramingTest extends UpstreamCalls {
    private static final String INTERIM_THEN_CHUNKS = Peer.crlf("""
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

                """);

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
    void readsChunksAndSkipsInterimAnswers() throws Exception {
        try (MockWorker worker = MockWorker.answering(INTERIM_THEN_CHUNKS)) {
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

    @Test
    void tellsAShortAnswerThatComesInOnePieceWithItsBody() throws Exception {
        try (MockWorker worker = MockWorker.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")) {
            for (int i = 0; i < 3; i++) {
                UpstreamResponse response = get(post(worker).response());

                assertThat(response.whole()).hasValue(ByteString.fromString("hello"));
                assertThat(text(response)).isEqualTo("hello");
            }
            assertThat(worker.accepted()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void tellsAHeadWhoseBodyIsNotThereYet() throws Exception {
        CompletableFuture<Void> told = new CompletableFuture<>();
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe");
            told.get(20, TimeUnit.SECONDS);
            peer.send("llo").awaitClosed();
        })) {
            UpstreamResponse response = get(post(worker).response());
            told.complete(null);

            assertThat(response.whole()).isEmpty();
            assertThat(text(response)).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified", "205 Reset Content\r\nContent-Length: 0"})
    void knowsAnswersWithoutBody(String status) throws Exception {
        try (MockWorker worker = MockWorker.answering("HTTP/1.1 " + status + "\r\n\r\n")) {
            for (int i = 0; i < 4; i++) {
                assertThat(answer(post(worker))).isEmpty();
            }
            assertThat(worker.accepted()).isLessThanOrEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "204 No Content, Transfer-Encoding: chunked, ''",
        "204 No Content, Transfer-Encoding: chunked, 0",
        "304 Not Modified, Transfer-Encoding: chunked, 0",
        "205 Reset Content, Transfer-Encoding: chunked, 0",
        "205 Reset Content, Content-Length: 3, abc",
        "205 Reset Content, x-no: length, ''",
    })
    void anAnswerThatHasNoBodyEndsAtItsHeadAndAnotherFramingWithItsConnection(
            String status, String framing, String rest) throws Exception {
        String body = rest.equals("0") ? "0\r\n\r\n" : rest;
        try (MockWorker worker = MockWorker.answering("HTTP/1.1 " + status + "\r\n" + framing + "\r\n\r\n" + body)) {
            for (int i = 0; i < 3; i++) {
                UpstreamResponse response = get(post(worker).response());

                assertThat(response.length()).hasValue(0);
                assertThat(text(response)).isEmpty();
            }
            assertThat(worker.accepted()).isEqualTo(3);
            eventually("all were closed", () -> worker.finished() == 3);
        }
        eventually("no calls", () -> plane.upstream().openCalls() == 0);
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
}
