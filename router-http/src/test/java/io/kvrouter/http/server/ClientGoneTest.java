package io.kvrouter.http.server;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import io.kvrouter.http.testing.Relay;
import io.kvrouter.http.testing.TestAuthority;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientGoneTest {
    private static final String POST = "POST /v1/x HTTP/1.1\r\nHost: router\r\nContent-Length: 2\r\n\r\nhi";
    private static final String STREAM = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n";
    private static final String LONG = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nab";

    static final TestAuthority AUTHORITY = new TestAuthority();

    private static Plane plane;
    private MockWorker worker;
    private Relay relay;
    private ApiServer server;

    @BeforeAll
    static void startPlane() {
        plane = new Plane("", AUTHORITY.context());
    }

    @AfterAll
    static void stopPlane() {
        plane.close();
    }

    @BeforeEach
    void start() throws Exception {
        worker = worker(peer -> {
            peer.readMessage();
            peer.awaitClosed();
        });
        relay = new Relay(plane.upstream(), worker.url(), plane.system());
        server = plane.serve(relay, tls());
    }

    /** How the server is spoken to. */
    Optional<Supplier<SSLEngine>> tls() throws Exception {
        return Optional.empty();
    }

    MockWorker worker(MockWorker.Script script) throws Exception {
        return new MockWorker(script);
    }

    Peer connect(int port) throws Exception {
        return Peer.connect(port);
    }

    Peer connectNarrow(int port) throws Exception {
        return Peer.connectNarrow(port);
    }

    @AfterEach
    void stop() {
        worker.close();
    }

    private static void leave(Peer client, String how) throws Exception {
        if (how.equals("FIN")) {
            client.close();
        } else {
            client.reset();
        }
    }

    private void everythingEndedOnce(int exchanges) throws Exception {
        eventually("workers saw the close", () -> worker.finished() == exchanges);
        eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
        assertThat(relay.aborts()).isEqualTo(exchanges);
        assertThat(plane.upstream().openCalls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"FIN", "RST"})
    void beforeTheHeadOfTheAnswer(String how) throws Exception {
        List<Peer> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(connect(server.port()).send(POST));
        }
        eventually("all at the worker", () -> worker.accepted() == 20);

        for (Peer client : clients) {
            leave(client, how);
        }

        everythingEndedOnce(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FIN", "RST"})
    void withRequestsOfItsOwnBehind(String how) throws Exception {
        Peer client = connect(server.port()).send(POST + POST + POST);
        eventually("at the worker", () -> worker.accepted() == 1);

        leave(client, how);

        everythingEndedOnce(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FIN " + STREAM, "RST " + STREAM, "FIN " + LONG, "RST " + LONG})
    void inTheMiddleOfTheAnswer(String howAndAnswer) throws Exception {
        worker.follow(peer -> {
            peer.readMessage();
            peer.send(howAndAnswer.substring(4)).awaitClosed();
        });
        Peer client = connect(server.port()).send(POST);
        client.readUntil("ab");

        leave(client, howAndAnswer.substring(0, 3));

        everythingEndedOnce(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FIN", "RST"})
    void whileItsRequestIsStillComingIn(String how) throws Exception {
        Peer client = connect(server.port()).send(POST.substring(0, POST.length() - 1));
        eventually("begun", () -> server.lifecycle().inFlight() == 1);

        leave(client, how);

        eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
        assertThat(relay.aborts()).isEqualTo(1);
        assertThat(worker.accepted()).isZero();
    }

    @Test
    void afterTheAnswerNothingIsAborted() throws Exception {
        worker.follow(peer -> {
            while (true) {
                peer.readMessage();
                peer.send(STREAM + "0\r\n\r\n");
            }
        });
        for (int i = 0; i < 20; i++) {
            try (Peer client = connect(server.port()).send(POST)) {
                client.readUntil("0\r\n\r\n");
            }
        }

        eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
        assertThat(relay.aborts()).isZero();
        assertThat(worker.accepted()).isLessThanOrEqualTo(2);
    }

    @Test
    void aSlowClientSlowsItsWorkerDown() throws Exception {
        AtomicLong written = new AtomicLong();
        byte[] part = new byte[64 * 1024];
        int parts = 2_048; // 128 MiB: the kernel's own buffers may grow to some 40 MiB on the way
        worker.follow(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + (long) parts * part.length + "\r\n\r\n");
            for (int i = 0; i < parts; i++) {
                peer.send(part);
                written.addAndGet(part.length);
            }
            peer.awaitClosed();
        });
        try (Peer client = connectNarrow(server.port()).send(POST)) {
            client.readHead();
            long[] last = {-1};
            eventually("the worker stalls", () -> {
                long now = written.get();
                boolean stalled = now > 0 && now == last[0];
                last[0] = now;
                sleep(stalled ? 0 : 500);
                return stalled;
            });

            assertThat(written.get()).isLessThan((long) parts * part.length / 2);
            for (int i = 0; i < parts; i++) {
                assertThat(client.readBytes(part.length)).hasSize(part.length);
            }
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
