package io.kvrouter.http.h2;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.server.ApiServer;
import io.kvrouter.http.testing.Http2Call;
import io.kvrouter.http.testing.Http2Peer;
import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Http2DrainTest {
    private final CountDownLatch finish = new CountDownLatch(1);
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

    @AfterEach
    void stop() {
        finish.countDown();
        worker.close();
    }

    private static boolean refuses(int port) {
        try {
            Peer.connect(port).close();
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void runningStreamsFinishAndTheirConnectionsWithThem() throws Exception {
        try (Plane plane = new Plane("kvrouter.shutdown { grace = 200 ms, drain = 20 s }")) {
            ApiServer server = plane.relay(worker);
            int port = plane.serveHttp2(server).port();
            Http2Peer client = Http2Peer.connect(port);
            Http2Peer idle = Http2Peer.connect(port);
            Http2Call one = client.post("/x", "p").awaitText("ab");
            Http2Call two = client.post("/x", "p").awaitText("ab");

            plane.shutDown();
            eventually("refuses", () -> refuses(port));
            eventually("idle connections close", idle::closed);
            eventually("told which was the last", () -> client.goAways().size() == 2);
            assertThat(client.goAways()).containsExactly(Integer.MAX_VALUE, 5);
            assertThat(server.lifecycle().inFlight()).isEqualTo(2);
            finish.countDown();

            assertThat(one.whole()).isEqualTo("abend");
            assertThat(two.whole()).isEqualTo("abend");
            eventually("closed", client::closed);
            eventually("terminated", () -> plane.system().whenTerminated().isCompleted());
        }
    }

    @Test
    void endsWithItsBudgetThoughStreamsGoOn() throws Exception {
        try (Plane plane = new Plane("kvrouter.shutdown { grace = 0 s, drain = 300 ms }")) {
            Http2Peer client =
                    Http2Peer.connect(plane.serveHttp2(plane.relay(worker)).port());
            Http2Call call = client.post("/x", "p").awaitText("ab");

            plane.shutDown();

            eventually("cut", () -> client.closed() && call.over());
            eventually("terminated", () -> plane.system().whenTerminated().isCompleted());
        }
    }
}
