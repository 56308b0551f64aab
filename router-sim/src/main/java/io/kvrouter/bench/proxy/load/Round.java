package io.kvrouter.bench.proxy.load;

import io.kvrouter.bench.Samples;
import io.kvrouter.bench.client.Call;
import io.kvrouter.bench.client.Ingress;
import io.kvrouter.bench.client.Outcome;
import io.netty.channel.EventLoop;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Requests that are answered whole, and how long each took. Confined to the client's thread. */
final class Round {
    private final EventLoop loop;
    private final Ingress clients;
    private final Requests requests;
    private final int count;
    private final long[] nanos;
    private final CompletableFuture<Samples> over = new CompletableFuture<>();
    private int good;
    private int failed;
    private int begun;

    Round(EventLoop loop, Ingress clients, Requests requests, int count) {
        this.loop = loop;
        this.clients = clients;
        this.requests = requests;
        this.count = count;
        this.nanos = new long[count];
    }

    /** Latencies of the requests that succeeded, when all are over. */
    CompletableFuture<Samples> over() {
        return over;
    }

    int failed() {
        return failed;
    }

    /** All at once: as many are in flight as there are places, the others wait for theirs. */
    void sendAll() {
        for (int i = 0; i < count; i++) {
            clients.send(new Timed(0));
        }
    }

    /** One each so many nanoseconds; a request that goes out late began when it was due. */
    void sendPaced(long betweenNanos) {
        sendDue(System.nanoTime(), betweenNanos);
    }

    private void sendDue(long began, long between) {
        for (long now = System.nanoTime(); begun < count && began + begun * between <= now; begun++) {
            clients.send(new Timed(began + begun * between));
        }
        if (begun < count) {
            long left = began + begun * between - System.nanoTime();
            var unused = loop.schedule(() -> sendDue(began, between), left, TimeUnit.NANOSECONDS);
        }
    }

    private void answered(Outcome outcome, long latency) {
        if (outcome instanceof Outcome.Answered answer && answer.head().good()) {
            nanos[good++] = latency;
        } else {
            failed++;
        }
        if (good + failed == count) {
            over.complete(Samples.of(Arrays.copyOf(nanos, good)));
        }
    }

    private final class Timed implements Call {
        private long since;

        /** @param since when it was due; 0 = when it is sent */
        Timed(long since) {
            this.since = since;
        }

        @Override
        public byte[] request() {
            byte[] bytes = requests.next();
            since = since == 0 ? System.nanoTime() : since;
            return bytes;
        }

        @Override
        public void ended(Outcome outcome) {
            answered(outcome, System.nanoTime() - since);
        }
    }
}
