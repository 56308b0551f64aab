package io.kvrouter.http.upstream.netty;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies on their way to a worker. */
class UpstreamBodyTest extends UpstreamCalls {
    private static final int MEGABYTE = 1_000_000;

    private static Call post(MockWorker worker, ByteString body) {
        return plane.upstream().call(new UpstreamRequest(worker.url(), "POST", "/v1/x", List.of(), body));
    }

    private static ByteString body(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return ByteString.fromArrayUnsafe(bytes);
    }

    private static long directMemory() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, 131_072, 200_000, 5 * MEGABYTE})
    void arriveWholeAndLeaveTheConnectionToOthers(int length) throws Exception {
        List<ByteString> seen = new ArrayList<>();
        try (MockWorker worker = new MockWorker(peer -> {
            while (true) {
                seen.add(peer.readMessage().body());
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        })) {
            for (int i = 0; i < 4; i++) {
                assertThat(answer(post(worker, body(length)))).isEqualTo("ok");
            }

            assertThat(seen).hasSize(4).containsOnly(body(length));
            assertThat(worker.accepted()).isLessThanOrEqualTo(2); // one for each event loop
        }
    }

    @Test
    void aRopeArrivesWhole() throws Exception {
        AtomicReference<Peer.Message> seen = new AtomicReference<>();
        try (MockWorker worker = new MockWorker(peer -> {
            seen.set(peer.readMessage());
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").awaitClosed();
        })) {
            answer(post(worker, body(100_000).concat(body(50_000).drop(1))));

            assertThat(seen.get().body())
                    .isEqualTo(body(100_000).concat(body(50_000).drop(1)).compact());
        }
    }

    @Test
    void pinLittleMemoryForAWorkerThatDoesNotRead() throws Exception {
        var told = new CompletableFuture<Void>();
        var begun = new AtomicInteger();
        var calls = new ArrayList<Call>();
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readHead();
            begun.incrementAndGet();
            told.get(20, TimeUnit.SECONDS);
        })) {
            ByteString body = body(20 * MEGABYTE);
            long before = directMemory();

            for (int i = 0; i < 5; i++) {
                calls.add(post(worker, body));
            }
            eventually("all are on their way", () -> begun.get() == 5);

            assertThat(directMemory() - before).isLessThan(20 * MEGABYTE);
            calls.forEach(Call::abort);
            for (Call call : calls) {
                assertThat(failure(call.response())).isEqualTo(UpstreamFailure.ABORTED);
            }
            told.complete(null);
            eventually("all were closed", () -> worker.finished() == 5);
        }
    }

    @Test
    void anAnswerThatComesBeforeTheBodyIsOutEndsIt() throws Exception {
        var told = new CompletableFuture<Void>();
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readHead();
            peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
            told.get(20, TimeUnit.SECONDS);
            peer.awaitClosed();
        })) {
            assertThat(answer(post(worker, body(20 * MEGABYTE)))).isEqualTo("no");

            told.complete(null);
            eventually("closed", () -> worker.finished() == 1);
            assertThat(worker.failure()).isNull();
        }
    }

    @Test
    void areNotHeldByCallsThatAreUnderWay() throws Exception {
        try (MockWorker worker = new MockWorker(peer -> {
            peer.readMessage();
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").awaitClosed();
        })) {
            ByteString body = body(MEGABYTE);
            var held = new WeakReference<>(body);
            Call call = post(worker, body);
            body = null;

            get(call.response());

            eventually("the body is gone", () -> {
                System.gc();
                return held.get() == null;
            });
            call.abort();
        }
    }
}
