package io.kvrouter.http.h2;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.server.ApiServer;
import io.kvrouter.http.testing.Http2Peer;
import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import io.kvrouter.http.testing.Relay;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A relay to a worker that is served by HTTP/2, and a client's connection to it. */
abstract class RelayedByHttp2 {
    static final int MIB = 1024 * 1024;
    static final String OK = Peer.crlf("""
            HTTP/1.1 200 OK
            Content-Type: text/plain
            Content-Length: 2

            ok""");
    static final String STREAM = Peer.crlf("""
            HTTP/1.1 200 OK
            Content-Type: text/event-stream
            Transfer-Encoding: chunked

            """);

    static Plane plane;

    final LinkedBlockingQueue<Peer.Message> requests = new LinkedBlockingQueue<>();
    MockWorker worker;
    Relay relay;
    ApiServer server;
    Http2Peer client;

    @BeforeAll
    static void startPlane() {
        plane = new Plane("kvrouter { api-server.max-body-size = 8 MiB, shutdown.grace = 0 s }");
    }

    @AfterAll
    static void stopPlane() {
        plane.close();
    }

    @BeforeEach
    void start() throws Exception {
        worker = new MockWorker(peer -> answerAll(peer, OK));
        relay = new Relay(plane.upstream(), worker.url(), plane.system());
        server = plane.serve(relay);
        client = Http2Peer.connect(plane.serveHttp2(server).port());
    }

    @AfterEach
    void stop() {
        client.close();
        worker.close();
    }

    /** Answers every request of a connection of the worker's alike. */
    final void answerAll(Peer peer, String answer) throws Exception {
        while (true) {
            requests.add(peer.readMessage());
            peer.send(answer);
        }
    }

    /** The head of the next request that the worker got. */
    final String request() throws Exception {
        Peer.Message request = requests.poll(20, TimeUnit.SECONDS);
        return request == null ? "none" : request.head();
    }

    final void nothingIsLeft() throws Exception {
        eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
        assertThat(plane.upstream().openCalls()).isZero();
    }

    static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }
}
