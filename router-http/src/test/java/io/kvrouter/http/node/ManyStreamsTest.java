package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Streams in which nothing moves for now. */
@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class ManyStreamsTest {
    private static final int STREAMS = 2_000;
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";

    @Test
    void areHeldAndOthersAreServedBesideThem() throws Exception {
        List<Peer> clients = new ArrayList<>();
        try (var router = TestRouter.start(Map.of());
                var engine = new TestEngine("m")) {
            router.register(engine.url(), "");
            engine.follow((peer, request) -> {
                peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "9\r\ndata: 1\n\n\r\n");
                peer.awaitClosed();
            });
            for (int i = 0; i < STREAMS; i++) {
                clients.add(Peer.connect(router.apiPort())
                        .send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\n"
                                + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY));
            }
            for (Peer client : clients) {
                client.readUntil("data: 1\n\n");
            }

            eventually("all count", () -> router.requests() == STREAMS);
            engine.follow(TestEngine.OK);
            assertThat(router.complete(BODY).statusCode()).isEqualTo(200);
            for (Peer client : clients) {
                client.close();
            }
            eventually("all of them ended", () -> router.requests() == 0);
        }
    }
}
