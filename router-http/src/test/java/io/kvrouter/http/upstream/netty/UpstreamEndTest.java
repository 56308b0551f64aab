package io.kvrouter.http.upstream.netty;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.Done;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

/** Answers that their worker ends while nobody reads them. */
class UpstreamEndTest extends UpstreamCalls {
    private static final String BEGIN = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n";

    private final CountDownLatch read = new CountDownLatch(1);

    /** Sends the begin of an answer, and its end when that was read. */
    private MockWorker ending(String end) throws Exception {
        return new MockWorker(peer -> {
            peer.readMessage();
            peer.send(BEGIN);
            read.await();
            peer.send(end);
            if (end.isEmpty()) {
                peer.reset();
            } else {
                peer.awaitClosed();
            }
        });
    }

    /** Reads one part of the body, asks for no other, and tells how the body ended. */
    private CompletionStage<Done> readOnce(UpstreamResponse answer) {
        return answer.body()
                .map(bytes -> {
                    read.countDown();
                    return bytes;
                })
                .watchTermination(Keep.right())
                .to(Sink.<ByteString>queue(1).withAttributes(Attributes.inputBuffer(1, 1)))
                .run(plane.system());
    }

    @Test
    void aCallEndsWithTheLastByteOfItsWorker() throws Exception {
        try (MockWorker worker = ending("0\r\n\r\n")) {
            Call call = post(worker);
            var answer = get(call.response());
            assertThat(call.ended().toCompletableFuture()).isNotDone();

            read.countDown();
            get(call.ended());

            assertThat(plane.upstream().openCalls()).isZero();
            assertThat(text(answer)).isEqualTo("ab");
        }
    }

    @Test
    void aBodyBeginsWithItsFirstByte() throws Exception {
        var sent = new CountDownLatch(1);
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            sent.await();
            peer.send("2\r\nab\r\n").awaitClosed();
        })) {
            Call call = post(worker);
            get(call.response());
            assertThat(call.begun().toCompletableFuture()).isNotDone();

            sent.countDown();
            get(call.begun());

            assertThat(call.ended().toCompletableFuture()).isNotDone();
            call.abort();
        }
    }

    @Test
    void aBodyThatWillNotComeBegins() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> peer.readMessage())) {
            get(post(worker).begun());
        }
    }

    @Test
    void aCallFailsWithItsWorker() throws Exception {
        try (MockWorker worker = ending("")) {
            Call call = post(worker);
            var unused = get(call.response());
            read.countDown();

            assertThat(failure(call.ended())).isEqualTo(UpstreamFailure.TRUNCATED);
        }
    }

    @Test
    void aBodyEndsThoughNobodyAsksForMore() throws Exception {
        try (MockWorker worker = ending("0\r\n\r\n")) {
            get(readOnce(get(post(worker).response())));
        }
    }

    @Test
    void aBodyThatBreaksFailsThoughNobodyAsksForMore() throws Exception {
        try (MockWorker worker = ending("")) {
            assertThat(failure(readOnce(get(post(worker).response())))).isEqualTo(UpstreamFailure.TRUNCATED);
        }
    }

    @Test
    void anAnswerWithoutAHeadEndsItsCallToo() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> peer.readMessage())) {
            assertThat(failure(post(worker).ended())).isEqualTo(UpstreamFailure.RESET_BEFORE_HEAD);
            eventually("closed", () -> plane.upstream().openCalls() == 0);
        }
    }
}
