package io.kvrouter.http.server;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DrainTest {
    private static final String POST = "POST /v1/x HTTP/1.1\r\nHost: router\r\nContent-Length: 2\r\n\r\nhi";
    private static final String SHORT_GRACE = "kvrouter.shutdown { grace = 200 ms, drain = 20 s }";

    private final CountDownLatch finish = new CountDownLatch(1);
    private final List<Plane> planes = new ArrayList<>();
    private MockWorker worker;

    @BeforeEach
    void start() throws Exception {
        worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n");
            finish.await();
            peer.send("3\r\nend\r\n0\r\n\r\n").awaitClosed();
        });
    }

    /** A node that relays to the worker. */
    private record Node(Plane plane, ApiServer server) {}

    private Node serve(String overrides) throws Exception {
        Plane plane = new Plane(overrides);
        planes.add(plane);
        return new Node(plane, plane.relay(worker));
    }

    @AfterEach
    void stop() {
        planes.forEach(Plane::close);
        worker.close();
    }

    private List<Peer> streams(Node node, int count) throws Exception {
        List<Peer> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Peer client = Peer.connect(node.server().port()).send(POST);
            client.readUntil("ab\r\n");
            clients.add(client);
        }
        return clients;
    }

    private static boolean refuses(Node node) {
        try {
            Peer.connect(node.server().port()).close();
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void runningStreamsFinishWhileNewConnectionsAreRefused() throws Exception {
        Node node = serve(SHORT_GRACE);
        List<Peer> clients = streams(node, 10);
        Peer idle = Peer.connect(node.server().port());

        node.plane().shutDown();
        eventually("not ready", () -> !node.server().lifecycle().ready());
        eventually("refuses", () -> refuses(node));
        idle.awaitClosed();
        assertThat(node.server().lifecycle().inFlight()).isEqualTo(10);
        finish.countDown();

        for (Peer client : clients) {
            assertThat(client.readToEnd()).isEqualTo("3\r\nend\r\n0\r\n\r\n");
        }
        eventually("terminated", () -> node.plane().system().whenTerminated().isCompleted());
    }

    @Test
    void acceptsDuringTheGraceTime() throws Exception {
        Node node = serve("kvrouter.shutdown { grace = 3 s, drain = 20 s }");
        finish.countDown();

        node.plane().shutDown();
        eventually("not ready", () -> !node.server().lifecycle().ready());

        try (Peer client = Peer.connect(node.server().port()).send(POST)) {
            assertThat(client.readUntil("0\r\n\r\n")).contains("end");
        }
    }

    @Test
    void aResponseThatBeginsWhileDrainingTellsItsClientToLeave() throws Exception {
        CountDownLatch begin = new CountDownLatch(1);
        worker.follow(peer -> {
            peer.readMessage();
            begin.await();
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").awaitClosed();
        });
        Node node = serve(SHORT_GRACE);
        Peer client = Peer.connect(node.server().port()).send(POST);
        eventually("in flight", () -> node.server().lifecycle().inFlight() == 1);

        node.plane().shutDown();
        eventually("draining", () -> node.server().lifecycle().draining());
        begin.countDown();

        assertThat(client.readToEnd()).contains("Connection: close\r\n").endsWith("ok");
    }

    @Test
    void endsWithItsBudgetThoughStreamsGoOn() throws Exception {
        Node node = serve("kvrouter.shutdown { grace = 0 s, drain = 300 ms }");
        List<Peer> clients = streams(node, 2);

        node.plane().shutDown();

        eventually("terminated", () -> node.plane().system().whenTerminated().isCompleted());
        for (Peer client : clients) {
            client.awaitClosed();
        }
    }

    @Test
    void aDownedNodeEndsWhatItRunsAtOnceWhereWorkersHaveACap() throws Exception {
        Node node = serve("""
                kvrouter.shutdown { grace = 5 m, drain = 5 m }
                kvrouter.admission.requests-per-worker = 4
                """);
        List<Peer> clients = streams(node, 2);

        node.plane().shutDown(CoordinatedShutdown.clusterDowningReason());

        for (Peer client : clients) {
            client.awaitClosed();
        }
        eventually("terminated", () -> node.plane().system().whenTerminated().isCompleted());
    }

    @Test
    void aDownedNodeServesWhatItRunsWhereTheyHaveNone() throws Exception {
        Node node = serve(SHORT_GRACE);
        List<Peer> clients = streams(node, 2);

        node.plane().shutDown(CoordinatedShutdown.clusterDowningReason());
        eventually("refuses", () -> refuses(node));
        finish.countDown();

        for (Peer client : clients) {
            assertThat(client.readToEnd()).isEqualTo("3\r\nend\r\n0\r\n\r\n");
        }
    }

    @Test
    void refusesAGraceTimeThatTheShutdownWouldCutShort() {
        var config = ConfigFactory.parseString("kvrouter.shutdown.grace = 60 s")
                .withFallback(ConfigFactory.parseResources("kvrouter-http-overrides.conf"))
                .withFallback(ConfigFactory.load())
                .resolve();

        assertThatThrownBy(() -> ApiServerSettings.from(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kvrouter.shutdown.grace")
                .hasMessageContaining("before-service-unbind");
    }
}
