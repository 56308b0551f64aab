package io.kvrouter.http.server;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import io.kvrouter.http.testing.Relay;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalTest {
    private static final String POST = "POST /v1/x HTTP/1.1\r\nHost: router\r\nContent-Length: 2\r\n\r\nhi";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static Plane plane;
    private MockWorker worker;
    private ApiServer server;

    @BeforeAll
    static void startPlane() {
        plane = new Plane("kvrouter.api-server.max-body-size = 8 MiB");
    }

    @AfterAll
    static void stopPlane() {
        plane.close();
    }

    @BeforeEach
    void start() throws Exception {
        worker = MockWorker.answering(OK);
        server = plane.relay(worker);
    }

    @AfterEach
    void stop() {
        worker.close();
    }

    @Test
    void leavesHowLongARequestMayTakeToWhoAnswersIt() throws Exception {
        List<String> headers = new CopyOnWriteArrayList<>();
        var seeing = plane.serve(request -> {
            request.getHeaders().forEach(header -> headers.add(header.name()));
            return Exchange.answered(HttpResponse.create());
        });
        try (Peer client = Peer.connect(seeing.port())) {
            client.send("GET / HTTP/1.1\r\nHost: r\r\n\r\n").readHead();

            assertThat(headers).containsExactly("Host"); // with a time-out of Pekko's it would have a Timeout-Access
        }
    }

    @Test
    void refusesABodyOverTheLimit() throws Exception {
        try (Peer client = Peer.connect(server.port())) {
            client.send("POST / HTTP/1.1\r\nHost: r\r\nContent-Length: 9000000\r\n\r\nbegin");

            assertThat(client.readHead()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void refusesAChunkedBodyOverTheLimitThoughItsClientSendsOn() throws Exception {
        try (Peer client = Peer.connect(server.port())) {
            client.send("POST / HTTP/1.1\r\nHost: r\r\nTransfer-Encoding: chunked\r\n\r\n");
            byte[] part = new byte[1024 * 1024];
            for (int i = 0; i < 9; i++) {
                client.send("100000\r\n").send(part).send("\r\n");
            }

            assertThat(client.readHead()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void refusesABodyOverTheLimitBeforeItIsSent() throws Exception {
        try (Peer client = Peer.connect(server.port())) {
            client.send("POST / HTTP/1.1\r\nHost: r\r\nExpect: 100-continue\r\nContent-Length: 9000000\r\n\r\n");

            assertThat(client.readHead()).startsWith("HTTP/1.1 413 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\n\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\na\n\n"
            })
    void resetsTheClientWhenTheWorkerBreaksOffInTheMiddle(String half) throws Exception {
        worker.follow(peer -> {
            peer.readMessage();
            peer.send(half);
            Thread.sleep(50);
            peer.reset();
        });

        try (Peer client = Peer.connect(server.port())) {
            client.send(POST);
            client.readUntil("a\n\n");
            if (half.contains("event-stream")) {
                client.readUntil(Relay.ERROR_EVENT);
            }

            assertThat(client.endsByReset()).isTrue();
        }
        eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
    }

    @Test
    void reportsAWorkerThatIsNotThere() throws Exception {
        MockWorker gone = MockWorker.answering(OK);
        gone.close();
        ApiServer other = plane.relay(gone);

        try (Peer client = Peer.connect(other.port())) {
            Peer.Message answer = client.send(POST).readMessage();

            assertThat(answer.head()).startsWith("HTTP/1.1 502 ");
            assertThat(answer.text()).isEqualTo("CONNECT_REFUSED");
        }
    }

    @Test
    void answersAnEndpointThatFailsWithAnErrorOfItsOwnAndServesOn() throws Exception {
        ApiServer failing = plane.serve(request -> {
            throw new IllegalStateException("broken");
        });

        try (Peer client = Peer.connect(failing.port())) {
            assertThat(client.send(POST).readMessage().head()).startsWith("HTTP/1.1 500 ");
            assertThat(client.send(POST).readMessage().head()).startsWith("HTTP/1.1 500 ");
        }
        assertThat(failing.lifecycle().inFlight()).isZero();
    }

    @Test
    void abortsAnExchangeThatFailsToAnswerOnce() throws Exception {
        var aborts = new AtomicInteger();
        ApiServer failing = plane.serve(request -> new Exchange() {
            @Override
            public CompletionStage<HttpResponse> response() {
                return CompletableFuture.failedStage(new IllegalStateException("broken"));
            }

            @Override
            public void abort() {
                aborts.incrementAndGet();
            }
        });

        try (Peer client = Peer.connect(failing.port())) {
            assertThat(client.send(POST).readMessage().head()).startsWith("HTTP/1.1 500 ");
        }
        eventually("nothing in flight", () -> failing.lifecycle().inFlight() == 0);
        assertThat(aborts).hasValue(1);
    }
}
