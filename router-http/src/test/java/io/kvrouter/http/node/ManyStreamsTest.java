package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Streams in which nothing moves for now. */
@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class ManyStreamsTest {
    private static final int STREAMS = 2_000;
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";

    private static final String REQUEST = "POST /v1/completions HTTP/1.1\r\nHost: r\r\n"
            + "Content-Type: application/json\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;

    private static boolean served(int port) {
        try (Peer client = Peer.connect(port)) {
            return client.send(REQUEST).readHead().startsWith("HTTP/1.1 200 ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertRefused(int port) throws IOException {
        try (Peer beyond = Peer.connect(port)) {
            assertThat(beyond.send(REQUEST).readHead())
                    .startsWith("HTTP/1.1 503 ")
                    .containsIgnoringCase("x-router-reason: too_many_connections\r\n")
                    .containsIgnoringCase("Retry-After: 1\r\n");
            beyond.awaitClosed();
        }
    }

    @Test
    void areHeldAndOthersAreServedBesideThemAndRefusedBeyondTheLimit() throws Exception {
        List<Peer> clients = new ArrayList<>();
        var oneMore = Map.of("kvrouter.api-server.max-connections", String.valueOf(STREAMS + 1));
        try (var router = TestRouter.start(oneMore);
                var engine = new TestEngine("m")) {
            router.register(engine.url(), "");
            engine.follow((peer, request) -> {
                peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "9\r\ndata: 1\n\n\r\n");
                peer.awaitClosed();
            });
            for (int i = 0; i < STREAMS; i++) {
                clients.add(Peer.connect(router.apiPort()).send(REQUEST));
            }
            for (Peer client : clients) {
                client.readUntil("data: 1\n\n");
            }

            eventually("all count", () -> router.requests() == STREAMS);
            engine.follow(TestEngine.OK);
            assertThat(router.complete(BODY).statusCode()).isEqualTo(200);
            assertRefused(router.apiPort());
            for (Peer client : clients) {
                client.close();
            }
            eventually("there is room again", () -> served(router.apiPort()));
            eventually("all of them ended", () -> router.requests() == 0);
        }
    }
}
