package io.kvrouter.http.h2;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.server.ApiServer;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.testing.Http2Call;
import io.kvrouter.http.testing.Http2Peer;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Plane;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client that does not behave gets. */
class Http2LimitsTest {
    private static final String AT_ONCE = "kvrouter.shutdown.grace = 0 s\n";
    private static final List<HttpRequest> SEEN = new ArrayList<>();

    private static Plane plane;
    private static ApiServer server;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        plane = new Plane(AT_ONCE + "kvrouter.api-server.http2 { max-streams = 4, max-resets = 20 }");
        server = plane.serve(Http2LimitsTest::begin);
        port = plane.serveHttp2(server).port();
    }

    private static Exchange begin(HttpRequest request) {
        synchronized (SEEN) {
            SEEN.add(request);
        }
        return request.getUri().path().equals("/wait")
                ? new Waiting()
                : Exchange.answered(HttpResponse.create().withEntity("ok"));
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    private static Http2Call asked(Http2Peer client, Consumer<Http2Headers> change) throws Exception {
        Http2Headers head = Http2Peer.head("GET", "/x");
        change.accept(head);
        return client.open().head(head, true);
    }

    @ParameterizedTest
    @CsvSource({
        ":method,  BREW,        501",
        ":path,    x,           400",
        ":path,    /%zz#f,      400",
        "content-type, nothing, 400"
    })
    void aHeadThatCannotBeReadIsAnswered(String field, String value, String status) throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            Http2Call call = asked(client, head -> head.set(field, value));

            assertThat(call.status()).isEqualTo(status);
            assertThat(call.whole()).contains("unreadable_request").doesNotContain("zz");
            assertThat(client.get("/x").whole()).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @CsvSource({"connection, keep-alive", "Upper, 1", ":odd, 1", "transfer-encoding, chunked", "te, gzip"})
    void aHeadThatIsNoneOfHttp2IsReset(String field, String value) throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            Http2Call call = asked(client, head -> head.set(field, value));

            assertThat(call.awaitReset()).isEqualTo(Http2Error.PROTOCOL_ERROR.code());
            assertThat(client.get("/x").whole()).isEqualTo("ok");
        }
    }

    @Test
    void aHeadWithoutAPathIsReset() throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            Http2Call call = asked(client, head -> head.remove(":path"));

            assertThat(call.awaitReset()).isEqualTo(Http2Error.PROTOCOL_ERROR.code());
        }
    }

    @ParameterizedTest
    @CsvSource({"HEAD, /x, 422", "TRACE, /x, 422", "HEAD, x, 400"})
    void aRefusedRequestOfAMethodWithoutABodyHasAnAnswerWithoutOneIfItIsHead(String method, String path, String status)
            throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            Http2Call call =
                    client.open().head(Http2Peer.head(method, path), false).send("a body", true);

            assertThat(call.status()).isEqualTo(status);
            assertThat(call.whole().isEmpty()).isEqualTo(method.equals("HEAD"));
            assertThat(client.get("/x").whole()).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3"})
    void aBodyThatIsNotAsLongAsItsHeadSaysIsReset(String length) throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            Http2Call call = client.open()
                    .head(Http2Peer.head("POST", "/wait", "content-length", length), false)
                    .send("hi", true);

            assertThat(call.awaitReset()).isEqualTo(Http2Error.PROTOCOL_ERROR.code());
            eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
        }
    }

    @Test
    void aHeadThatIsTooLargeIs431() throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            Http2Call many = asked(client, head -> {
                for (int i = 0; i < 300; i++) {
                    head.add("x-" + i, "1");
                }
            });
            Http2Call large = asked(client, head -> head.add("x-large", "a".repeat(70_000)));

            assertThat(many.status()).isEqualTo("431");
            assertThat(large.status()).isEqualTo("431");
            assertThat(client.get("/x").whole()).isEqualTo("ok");
        }
    }

    @Test
    void theSenderIsKnownByItsAddressAndTheHostByItsName() throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            client.get("/seen").whole();
        }
        HttpRequest request;
        synchronized (SEEN) {
            request = SEEN.stream()
                    .filter(one -> one.getUri().path().equals("/seen"))
                    .findFirst()
                    .orElseThrow();
        }

        assertThat(request.getAttribute(AttributeKeys.remoteAddress)
                        .flatMap(address -> address.getAddress())
                        .orElseThrow()
                        .isLoopbackAddress())
                .isTrue();
        assertThat(request.getHeader("host").orElseThrow().value()).isEqualTo("router");
    }

    @Test
    void moreStreamsThanAllowedAreNotServed() throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            for (int i = 0; i < 4; i++) {
                client.get("/wait");
            }
            eventually("all have begun", () -> server.lifecycle().inFlight() == 4);

            Http2Call more = client.get("/wait");

            eventually("refused", more::over);
            assertThat(server.lifecycle().inFlight()).isEqualTo(4);
        }
        eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
    }

    @Test
    void aClientThatBreaksOffWithoutEndIsSentAway() throws Exception {
        try (Http2Peer client = Http2Peer.connect(port)) {
            for (int i = 0; i < 30 && !client.closed(); i++) {
                client.get("/wait").reset();
            }

            eventually("closed", client::closed);
        }
        eventually("nothing in flight", () -> server.lifecycle().inFlight() == 0);
    }

    @Test
    void anIdleConnectionIsClosedAndABusyOneIsNot() throws Exception {
        try (Plane impatient = new Plane(AT_ONCE + "kvrouter.api-server.keep-alive = 500 ms")) {
            int at = impatient
                    .serveHttp2(impatient.serve(Http2LimitsTest::begin))
                    .port();
            try (Http2Peer busy = Http2Peer.connect(at);
                    Http2Peer idle = Http2Peer.connect(at)) {
                Http2Call waiting = busy.get("/wait");

                eventually("closed", idle::closed);

                assertThat(idle.goAways()).isNotEmpty();
                assertThat(waiting.over()).isFalse();
            }
        }
    }

    @Test
    void aClientThatDoesNotReadItsAnswerIsGoneAfterAWhile() throws Exception {
        try (Plane impatient = new Plane(AT_ONCE + "kvrouter.api-server.write-timeout = 300 ms")) {
            ApiServer generous = impatient.serve(
                    request -> Exchange.answered(HttpResponse.create().withEntity("x".repeat(1_000_000))));
            try (Http2Peer client =
                    Http2Peer.connect(impatient.serveHttp2(generous).port())) {
                Http2Call unread = client.open().stall().head(Http2Peer.head("GET", "/x"), true);

                eventually("reset", unread::over);
                assertThat(unread.size()).isLessThan(1_000_000);
                assertThat(client.closed()).isFalse();
            }
            eventually("nothing in flight", () -> generous.lifecycle().inFlight() == 0);
        }
    }

    @Test
    void requestsOnConnectionsBeyondTheLimitAreRefusedWhicheverPortTheyUse() throws Exception {
        try (Plane small = new Plane(AT_ONCE + "kvrouter.api-server.max-connections = 3")) {
            ApiServer full = small.serve(Http2LimitsTest::begin);
            int at = small.serveHttp2(full).port();
            try (Peer http1 = Peer.connect(full.port());
                    Http2Peer one = Http2Peer.connect(at);
                    Http2Peer two = Http2Peer.connect(at)) {
                http1.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
                one.get("/wait");
                two.get("/wait");
                eventually("all are served", () -> full.lifecycle().inFlight() == 3);

                Http2Peer more = Http2Peer.connect(at);

                assertThat(two.get("/x").status()).isEqualTo("503");
                assertThat(more.get("/x").status()).isEqualTo("503");
                eventually("closed", more::closed);
                assertThat(two.closed()).isFalse();
            }
            eventually("nothing in flight", () -> full.lifecycle().inFlight() == 0);
        }
    }

    @Test
    void whoSpeaksHttp1IsSentAway() throws Exception {
        try (Peer client = Peer.connect(port)) {
            client.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n").awaitClosed();
        }
    }
}
