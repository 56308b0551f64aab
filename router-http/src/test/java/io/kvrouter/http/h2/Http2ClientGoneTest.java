package io.kvrouter.http.h2;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Http2Call;
import io.kvrouter.http.testing.Http2Peer;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class Http2ClientGoneTest extends RelayedByHttp2 {
    @Test
    void aResetBeforeTheHeadOfTheAnswerReachesTheWorker() throws Exception {
        worker.follow(peer -> {
            peer.readMessage();
            peer.awaitClosed();
        });
        Http2Call call = client.post("/x", "p");
        eventually("at the worker", () -> worker.accepted() == 1);

        call.reset();

        eventually("the worker saw it", () -> worker.finished() == 1);
        nothingIsLeft();
        assertThat(relay.aborts()).isEqualTo(1);
    }

    @Test
    void aResetInTheMiddleOfTheAnswerReachesTheWorkerAndNoOtherStream() throws Exception {
        CountDownLatch finish = new CountDownLatch(1);
        worker.follow(peer -> {
            boolean other = peer.readMessage().head().contains("/other");
            peer.send(STREAM + chunk("data: 1\n\n"));
            if (other) {
                finish.await();
                peer.send("0\r\n\r\n");
            }
            peer.awaitClosed();
        });
        Http2Call call = client.post("/x", "p").awaitText("data: 1");
        Http2Call other = client.post("/other", "p").awaitText("data: 1");

        call.reset();

        eventually("the worker saw it", () -> worker.finished() == 1);
        assertThat(relay.aborts()).isEqualTo(1);
        finish.countDown();
        assertThat(other.whole()).isEqualTo("data: 1\n\n");
        nothingIsLeft();
    }

    @Test
    void aResetWhileItsBodyIsStillComingInEndsTheRequest() throws Exception {
        Http2Call call = client.open().head(Http2Peer.head("POST", "/x"), false).send("half", false);
        eventually("begun", () -> server.lifecycle().inFlight() == 1);

        call.reset();

        nothingIsLeft();
        assertThat(worker.accepted()).isZero();
    }

    @Test
    void aLostConnectionEndsAllItsRequests() throws Exception {
        worker.follow(peer -> {
            peer.readMessage();
            peer.send(STREAM + chunk("data: 1\n\n")).awaitClosed();
        });
        for (int i = 0; i < 20; i++) {
            client.post("/x", "p").awaitText("data: 1");
        }

        client.reset();

        eventually("the workers saw it", () -> worker.finished() == 20);
        nothingIsLeft();
        assertThat(relay.aborts()).isEqualTo(20);
    }
}
