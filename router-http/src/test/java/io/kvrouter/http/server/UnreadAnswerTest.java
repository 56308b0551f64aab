package io.kvrouter.http.server;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import io.kvrouter.http.testing.Relay;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that stay and read nothing. */
class UnreadAnswerTest {
    private static final String POST = "POST /v1/x HTTP/1.1\r\nHost: router\r\nContent-Length: 2\r\n\r\nhi";
    private static final String STREAM = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final byte[] PART = ("10000\r\n" + "x".repeat(65_536) + "\r\n").getBytes(StandardCharsets.US_ASCII);

    private final Plane plane = new Plane("kvrouter.api-server { write-timeout = 300 ms, keep-alive = 300 ms }");

    @AfterEach
    void stop() {
        plane.close();
    }

    private static void sendForEver(Peer peer) throws Exception {
        peer.send(STREAM);
        while (true) {
            peer.send(PART);
        }
    }

    @Test
    void aClientThatReadsNoneOfItsAnswerIsGoneAfterTheWriteTimeout() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            sendForEver(peer);
        })) {
            var relay = new Relay(plane.upstream(), worker.url(), plane.system());
            ApiServer server = plane.serve(relay);
            try (Peer client = Peer.connectNarrow(server.port()).send(POST)) {
                client.readHead();

                eventually("its worker saw it", () -> worker.finished() == 1);
                eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
                assertThat(relay.aborts()).isEqualTo(1);
                assertThat(plane.upstream().openCalls()).isZero();
                assertThat(client.endsByReset()).isTrue();
            }
        }
    }

    @Test
    void alsoWhereItHasNotReadTheAnswerBefore() throws Exception {
        var aborts = new AtomicInteger();
        var lifecycle = new ServerLifecycle();
        var settings = ApiServerSettings.from(plane.system().settings().config());
        var connection = new ConnectionStage(request -> new Answering(aborts), lifecycle, settings);

        var unused = Source.range(1, 2)
                .map(number -> HttpRequest.create())
                .concat(Source.<HttpRequest>maybe())
                .via(connection)
                .to(Sink.<HttpResponse>queue(1).withAttributes(Attributes.inputBuffer(1, 1)))
                .run(plane.system());

        eventually("the second is gone", () -> aborts.get() == 1);
        eventually("nothing in flight", () -> lifecycle.inFlight() == 0);
    }

    /** Has its answer at once. */
    private record Answering(AtomicInteger aborts) implements Exchange {
        @Override
        public CompletionStage<HttpResponse> response() {
            return CompletableFuture.completedFuture(HttpResponse.create());
        }

        @Override
        public void abort() {
            aborts.incrementAndGet();
        }
    }

    @Test
    void anIdleConnectionIsStillClosedCleanly() throws Exception {
        try (MockWorker worker = MockWorker.answering(STREAM + "0\r\n\r\n")) {
            ApiServer server = plane.relay(worker);
            try (Peer client = Peer.connect(server.port()).send(POST);
                    Peer silent = Peer.connect(server.port())) {
                assertThat(client.readToEnd()).endsWith("0\r\n\r\n");
                assertThat(silent.readToEnd()).isEmpty();
            }
        }
    }

    @Test
    void aClientThatWaitsForItsWorkerIsNotGone() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send(STREAM + "2\r\nab\r\n");
            Thread.sleep(1_000); // several times as long as a write may take
            peer.send("2\r\ncd\r\n0\r\n\r\n").awaitClosed();
        })) {
            ApiServer server = plane.relay(worker);
            try (Peer client = Peer.connect(server.port()).send(POST)) {
                assertThat(client.readUntil("0\r\n\r\n")).contains("ab").contains("cd");
            }
        }
    }
}
