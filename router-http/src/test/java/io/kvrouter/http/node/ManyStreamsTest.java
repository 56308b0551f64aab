package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Http2Call;
import io.kvrouter.http.testing.Http2Peer;
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

    private static Http2Call ask(Http2Peer client) throws Exception {
        return client.post("/v1/completions", BODY, "content-type", "application/json");
    }

    private static boolean served(Http2Peer client) {
        try {
            return ask(client).status().equals("200");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void areHeldByHttp2Too() throws Exception {
        List<Http2Peer> clients = new ArrayList<>();
        List<Http2Call> streams = new ArrayList<>();
        var settings =
                Map.of("kvrouter.http2-port", "0", "kvrouter.api-server.max-connections", String.valueOf(STREAMS));
        try (var router = TestRouter.start(settings);
                var engine = new TestEngine("m")) {
            router.register(engine.url(), "");
            engine.follow(ManyStreamsTest::begin);
            for (int i = 0; i < STREAMS; i++) {
                if (i % 100 == 0) {
                    clients.add(Http2Peer.connect(router.http2Port()));
                }
                streams.add(ask(clients.getLast()));
            }
            for (Http2Call stream : streams) {
                stream.awaitText("data: 1\n\n");
            }

            eventually("all count", () -> router.requests() == STREAMS);
            Http2Call beyond = ask(clients.getFirst());
            assertThat(beyond.whole()).contains("too_many_connections");
            assertThat(beyond.status()).isEqualTo("503");
            assertThat(beyond.awaitHead().get("retry-after")).hasToString("1");
            engine.follow(TestEngine.OK);
            clients.removeLast().close();
            eventually("there is room again", () -> served(clients.getFirst()));
            clients.forEach(Http2Peer::close);
            eventually("all of them ended", () -> router.requests() == 0);
        }
    }

    /** A stream in which nothing comes after its first event. */
    private static void begin(Peer peer, Peer.Message request) throws IOException {
        peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "9\r\ndata: 1\n\n\r\n");
        peer.awaitClosed();
    }

    @Test
    void areHeldAndOthersAreServedBesideThemAndRefusedBeyondTheLimit() throws Exception {
        List<Peer> clients = new ArrayList<>();
        var oneMore = Map.of("kvrouter.api-server.max-connections", String.valueOf(STREAMS + 1));
        try (var router = TestRouter.start(oneMore);
                var engine = new TestEngine("m")) {
            router.register(engine.url(), "");
            engine.follow(ManyStreamsTest::begin);
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
