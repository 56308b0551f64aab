package io.kvrouter.bench.proxy.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.bench.client.Ingress;
import io.kvrouter.bench.proxy.peer.MockEngine;
import io.kvrouter.bench.proxy.peer.PlainRelay;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The guard of what a streamed event costs. The engine sends an event of each stream when all those before have come: so
 * no two of a stream are carried in one go, whatever else the machine does, and what is compared is the same work. What is
 * taken is the CPU time and the allocations of threads, not time that passes.
 */
class EventCostTest {
    private static final int STREAMS = 50;
    private static final int BEATS = 200;
    private static final int ROUNDS = 5;
    private static final int WARM_UP = 3;

    /** Measured: 1.9. */
    private static final double MOST_TIMES_THE_RELAY = 5;

    /** Measured: 1,450. */
    private static final double MOST_BYTES = 4_500;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final MockEngine engine = MockEngine.start();
    private final PlainRelay relay = PlainRelay.start(engine.url(), 2);
    private final RouterHere router = RouterHere.before(engine.url());
    private final ClientThread client = new ClientThread();

    /** Of an event. */
    private record Cost(double cpuMicros, double allocatedBytes) {}

    @AfterEach
    void end() {
        client.close();
        router.close();
        relay.close();
        engine.close();
    }

    @Test
    void anEventCostsTheRouterNotManyTimesWhatItCostsAPlainRelay() {
        List<Cost> ofRelay = new ArrayList<>();
        List<Cost> ofRouter = new ArrayList<>();

        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            ofRelay.add(round(relay.url(), name -> name.startsWith("plain-relay")));
            ofRouter.add(round(router.url(), EventCostTest::isRouters));
        }

        double times = median(ofRouter, Cost::cpuMicros) / median(ofRelay, Cost::cpuMicros);
        assertThat(times)
                .as("CPU of an event, router to relay: %s to %s", ofRouter, ofRelay)
                .isBetween(0.1, MOST_TIMES_THE_RELAY);
        assertThat(median(ofRouter, Cost::allocatedBytes))
                .as("bytes that the router allocates for an event: %s", ofRouter)
                .isBetween(1.0, MOST_BYTES);
    }

    /** All that is none of the others': also what it hands to another thread. */
    private static boolean isRouters(String thread) {
        return !thread.startsWith("plain-relay")
                && !thread.startsWith("mock-engine")
                && !thread.startsWith("bench-client")
                && !thread.equals(Thread.currentThread().getName());
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> figure) {
        return costs.stream().skip(WARM_UP).mapToDouble(figure).sorted().toArray()[ROUNDS / 2];
    }

    private Cost round(URI url, Predicate<String> threads) {
        int events = BEATS + 1; // the first comes by itself
        var to = new Contender("way", url, () -> Duration.ZERO, Contender.Ids.AGAIN);
        String paced = Requests.events(events) + MockEngine.PACE + ": " + MockEngine.BEAT + "\r\n";
        var streams = new Streams(new Requests(to, Requests.STREAM, paced), STREAMS, events);
        var clients = new Ingress(url, STREAMS, client);
        client.loop().execute(() -> streams.begin(clients));
        streams.open().orTimeout(1, TimeUnit.MINUTES).join();
        Cost before = total(threads);
        for (int beat = 1; beat <= BEATS; beat++) {
            assertThat(engine.beat()).isEqualTo(STREAMS);
            long sent = (beat + 1L) * STREAMS;
            RouterHere.await(() -> came(streams) >= sent);
        }
        Cost after = total(threads);
        streams.over().orTimeout(1, TimeUnit.MINUTES).join();
        assertThat(streams.failed()).isZero();
        client.loop().execute(clients::closeIdle);
        int all = BEATS * STREAMS;
        return new Cost(
                (after.cpuMicros - before.cpuMicros) / all, (after.allocatedBytes - before.allocatedBytes) / all);
    }

    private long came(Streams streams) {
        return CompletableFuture.supplyAsync(streams::events, client.loop()).join();
    }

    private static Cost total(Predicate<String> names) {
        double micros = 0;
        double bytes = 0;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && names.test(thread.getThreadName())) {
                micros += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId())) / 1e3;
                bytes += Math.max(0, THREADS.getThreadAllocatedBytes(thread.getThreadId()));
            }
        }
        return new Cost(micros, bytes);
    }
}
