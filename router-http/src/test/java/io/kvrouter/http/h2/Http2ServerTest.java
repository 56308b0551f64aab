package io.kvrouter.http.h2;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.server.ApiServer;
import io.kvrouter.http.testing.Http2Call;
import io.kvrouter.http.testing.Http2Peer;
import io.kvrouter.http.testing.Relay;
import io.netty.handler.codec.http2.Http2Error;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class Http2ServerTest extends RelayedByHttp2 {
    @Test
    void aRequestIsForwardedAndItsAnswerComesBack() throws Exception {
        Http2Call call = client.post(
                "/v1/x?a=b",
                "hello",
                "content-type",
                "application/json",
                "x-mine",
                "1",
                "cookie",
                "a=1",
                "cookie",
                "b=2");

        assertThat(call.whole()).isEqualTo("ok");
        assertThat(call.status()).isEqualTo("200");
        assertThat(call.awaitHead().get("content-type")).hasToString("text/plain");
        assertThat(call.awaitHead().get("content-length")).hasToString("2");
        assertThat(call.awaitHead().contains("date")).isTrue();
        assertThat(request())
                .startsWith("POST /v1/x?a=b HTTP/1.1\r\n")
                .contains("x-mine: 1\r\n", "cookie: a=1; b=2\r\n", "Content-Type: application/json\r\n")
                .doesNotContain(":method");
        nothingIsLeft();
    }

    @Test
    void nothingOfAConnectionPassesAndNamesAreInLowerCase() throws Exception {
        worker.follow(peer -> answerAll(
                peer,
                "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nX-End: 2\r\n"
                        + "Set-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok"));

        Http2Call call = client.get("/x");

        assertThat(call.whole()).isEqualTo("ok");
        assertThat(call.awaitHead().get("x-end")).hasToString("2");
        assertThat(call.awaitHead().getAll("set-cookie")).hasSize(2);
        assertThat(call.awaitHead().names()).doesNotContain("keep-alive", "connection", "x-hop", "transfer-encoding");
    }

    @Test
    void anAnswerToHeadHasItsLengthAndNoBody() throws Exception {
        worker.follow(peer -> answerAll(peer, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"));

        Http2Call call = client.open().head(Http2Peer.head("HEAD", "/x"), true);

        assertThat(call.whole()).isEmpty();
        assertThat(call.awaitHead().get("content-length")).hasToString("1000");
        nothingIsLeft();
    }

    @Test
    void anAnswerWithoutABodyEndsWithItsHead() throws Exception {
        worker.follow(peer -> answerAll(peer, "HTTP/1.1 204 No Content\r\n\r\n"));

        Http2Call call = client.get("/x");

        assertThat(call.whole()).isEmpty();
        assertThat(call.status()).isEqualTo("204");
        assertThat(call.awaitHead().contains("content-length")).isFalse();
    }

    @Test
    void eventsComeOneByOne() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        worker.follow(peer -> {
            peer.readMessage();
            peer.send(STREAM + chunk("data: 1\n\n"));
            read.await();
            peer.send(chunk("data: 2\n\n") + "0\r\n\r\n").awaitClosed();
        });

        Http2Call call = client.post("/x", "p");
        call.awaitText("data: 1");
        read.countDown();

        assertThat(call.whole()).isEqualTo("data: 1\n\ndata: 2\n\n");
        nothingIsLeft();
        assertThat(relay.aborts()).isZero();
    }

    @Test
    void aSlowReaderSlowsItsOwnWorkerAndNobodyElse() throws Exception {
        AtomicLong written = new AtomicLong();
        int parts = 1_024; // 64 MiB: the receive buffer of the router may grow to half of it
        byte[] part = new byte[64 * 1024];
        worker.follow(peer -> {
            peer.socket().setSendBufferSize(64 * 1024);
            while (true) {
                boolean fast = peer.readMessage().head().contains("/fast");
                peer.send(fast ? OK : "HTTP/1.1 200 OK\r\nContent-Length: " + parts * part.length + "\r\n\r\n");
                for (int i = 0; !fast && i < parts; i++) {
                    peer.send(part);
                    written.addAndGet(part.length);
                }
            }
        });
        Http2Call slow = client.open().stall().head(Http2Peer.head("GET", "/slow"), true);
        whenItStands(written);

        for (int i = 0; i < 20; i++) {
            assertThat(client.get("/fast").whole()).isEqualTo("ok");
        }
        assertThat(written.get()).isLessThan((long) parts * part.length);
        slow.goOn();

        assertThat(slow.whole()).hasSize(parts * part.length);
        nothingIsLeft();
    }

    /** Waits until a worker has begun to write, and writes no more. */
    private static void whenItStands(AtomicLong written) throws Exception {
        long[] last = {-1};
        eventually("its worker stands", () -> {
            long now = written.get();
            boolean stands = now > 0 && now == last[0];
            last[0] = now;
            LockSupport.parkNanos(stands ? 0 : TimeUnit.MILLISECONDS.toNanos(500));
            return stands;
        });
    }

    @Test
    void aBodyLargerThanTheWindowIsTaken() throws Exception {
        byte[] body = new byte[4 * MIB];

        Http2Call call = client.open().head(Http2Peer.head("POST", "/x"), false).send(body, true);

        assertThat(call.whole()).isEqualTo("ok");
        assertThat(request()).contains("Content-Length: " + body.length + "\r\n");
    }

    @Test
    void aBodyThatNobodyReadsIsNotTakenAndHoldsUpNobody() throws Exception {
        ApiServer deaf =
                plane.serve(request -> request.getUri().path().contains("deaf") ? new Waiting() : relay.begin(request));
        try (Http2Peer other = Http2Peer.connect(plane.serveHttp2(deaf).port())) {
            List<Http2Call> unread = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                unread.add(other.open()
                        .head(Http2Peer.head("POST", "/deaf"), false)
                        .send(new byte[MIB], true));
            }
            Http2Call read =
                    other.open().head(Http2Peer.head("POST", "/x"), false).send(new byte[4 * MIB], true);

            assertThat(read.whole()).isEqualTo("ok");
            assertThat(unread).allMatch(call -> call.unsent() > 0);
        }
        eventually("nothing in flight", () -> deaf.lifecycle().inFlight() == 0);
    }

    @Test
    void aBodyOverTheLimitIs413() throws Exception {
        Http2Call stated = client.open()
                .head(Http2Peer.head("POST", "/x", "content-length", "9000000"), false)
                .send("begin", false);
        Http2Call unstated =
                client.open().head(Http2Peer.head("POST", "/x"), false).send(new byte[9 * MIB], false);

        assertThat(stated.status()).isEqualTo("413");
        assertThat(stated.awaitReset()).isEqualTo(Http2Error.NO_ERROR.code());
        assertThat(unstated.status()).isEqualTo("413");
        assertThat(requests).isEmpty();
        assertThat(client.get("/x").whole()).isEqualTo("ok");
    }

    @Test
    void aClientThatAsksIsToldToGoOn() throws Exception {
        Http2Call call = client.open().head(Http2Peer.head("POST", "/x", "expect", "100-continue"), false);
        assertThat(call.status()).isEqualTo("100");

        call.send("body", true);

        assertThat(call.whole()).isEqualTo("ok");
        assertThat(call.heads()).extracting(head -> head.status().toString()).containsExactly("100", "200");
        assertThat(request()).contains("Content-Length: 4\r\n").doesNotContain("xpect");
    }

    @Test
    void aWorkerThatBreaksOffIsAnErrorEventAndAReset() throws Exception {
        worker.follow(peer -> {
            peer.readMessage();
            peer.send(STREAM + chunk("data: 1\n\n")).reset();
        });
        Http2Call call = client.post("/x", "p");

        assertThat(call.awaitReset()).isEqualTo(Http2Error.INTERNAL_ERROR.code());
        assertThat(call.text()).isEqualTo("data: 1\n\n" + Relay.ERROR_EVENT);
        nothingIsLeft();
        worker.follow(peer -> answerAll(peer, OK));
        assertThat(client.get("/x").whole()).isEqualTo("ok");
    }

    @Test
    void anEndpointThatFailsIs500() throws Exception {
        ApiServer failing = plane.serve(request -> {
            throw new IllegalStateException("broken");
        });
        try (Http2Peer other = Http2Peer.connect(plane.serveHttp2(failing).port())) {
            assertThat(other.post("/x", "p").status()).isEqualTo("500");
            assertThat(other.get("/x").status()).isEqualTo("500");
        }
        assertThat(failing.lifecycle().inFlight()).isZero();
    }
}
