package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Streams under way whose requests were long. */
@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class HeldBodiesTest {
    private static final int STREAMS = 40;
    private static final int CHARACTERS = 1_500_000;
    private static final String MODELS = "{\"object\":\"list\",\"data\":[{\"id\":\"m\",\"object\":\"model\"}]}";
    private static final String EVENTS =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n";

    /** An engine that remembers nothing. */
    private static void serve(Peer peer) throws IOException {
        while (true) {
            String head = peer.readMessage().head();
            if (head.startsWith("POST /v1/completions ")) {
                peer.send(EVENTS).awaitClosed();
                return;
            }
            String body = head.startsWith("GET /v1/models ") ? MODELS : "";
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                    + "\r\n\r\n" + body);
        }
    }

    private static byte[] request() {
        String body = "{\"model\":\"m\",\"prompt\":\"" + "x".repeat(CHARACTERS) + "\"}";
        String head = "POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.UTF_8);
    }

    private static Peer begin(TestRouter router, byte[] request) throws IOException {
        Peer client = Peer.connect(router.apiPort()).send(request);
        client.readUntil("data: 1\n\n");
        return client;
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void holdLittleOfThem() throws Exception {
        List<Peer> clients = new ArrayList<>();
        byte[] request = request();
        try (var router = TestRouter.start(Map.of());
                var worker = new MockWorker(HeldBodiesTest::serve)) {
            router.register(worker.url(), "");
            clients.add(begin(router, request));
            long before = heap();

            for (int i = 0; i < STREAMS; i++) {
                clients.add(begin(router, request));
            }

            eventually(
                    "a stream holds its hashes, and little else",
                    () -> heap() - before < (long) STREAMS * CHARACTERS / 2);
            for (Peer client : clients) {
                client.close();
            }
            eventually("all of them ended", () -> router.requests() == 0);
        }
    }
}
