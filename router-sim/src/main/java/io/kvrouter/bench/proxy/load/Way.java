package io.kvrouter.bench.proxy.load;

import io.kvrouter.bench.Samples;
import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.bench.client.Ingress;
import io.kvrouter.bench.proxy.peer.Counts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The clients of one workload over one way, whose connections are kept from round to round. */
public final class Way implements AutoCloseable {
    private static final long LONGEST_MIN = 5;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    private final Contender to;
    private final ClientThread thread;
    private final EngineCounts engine;
    private final Ingress clients;

    /**
     * Clients of their own.
     *
     * @param places requests in flight at most
     */
    public Way(Contender to, int places, ClientThread thread, EngineCounts engine) {
        this.to = to;
        this.thread = thread;
        this.engine = engine;
        this.clients = new Ingress(to.url(), to.wire(), places, thread);
    }

    /** Where they ask. */
    public Contender to() {
        return to;
    }

    /** So many requests, as many at once as there are places. */
    public Measured closedLoop(Requests requests, int count) {
        return round(new Round(thread.loop(), clients, requests, count), requests, count, Round::sendAll);
    }

    /** So many requests in a second, for a time. */
    public Measured paced(Requests requests, double rate, Duration time) {
        long between = (long) (TimeUnit.SECONDS.toNanos(1) / rate);
        int count = (int) Math.max(1, time.toNanos() / between);
        var round = new Round(thread.loop(), clients, requests, count);
        return round(round, requests, count, one -> one.sendPaced(between));
    }

    private Measured round(Round round, Requests requests, int count, Consumer<Round> send) {
        Counts before = engine.now();
        Duration cpu = to.cpu().get();
        long began = System.nanoTime();
        thread.loop().execute(() -> send.accept(round));
        Samples samples = await(round.over());
        Duration time = Duration.ofNanos(System.nanoTime() - began);
        Duration used = to.cpu().get().minus(cpu);
        return new Measured(
                count,
                round.failed(),
                saw(engine.now().since(before), count, count * requests.bodyBytes()),
                time,
                used,
                samples.percentile(MEDIAN) / 1e6,
                samples.percentile(TAIL) / 1e6);
    }

    private static boolean saw(Counts counts, long requests, long bytes) {
        return counts.received() == requests && counts.finished() == requests && counts.bodyBytes() == bytes;
    }

    /** Streams from their begin to their end. */
    public Measured burst(Requests requests, int count, int events) {
        var streams = new Streams(requests, count, events);
        return streams(streams, requests, count, () -> {
            Duration cpu = to.cpu().get();
            long began = System.nanoTime();
            thread.loop().execute(() -> streams.begin(clients));
            await(streams.over());
            Duration time = Duration.ofNanos(System.nanoTime() - began);
            return new Window((long) count * events, time, to.cpu().get().minus(cpu));
        });
    }

    /** Streams that go on for longer than this time: it begins when all are open. */
    public Measured streams(Requests requests, int count, int events, Duration time) {
        var streams = new Streams(requests, count, events);
        return streams(streams, requests, count, () -> {
            thread.loop().execute(() -> streams.begin(clients));
            await(streams.open());
            Window begin = now(streams, true);
            pause(time);
            Window end = now(streams, false);
            await(streams.over());
            return end.since(begin);
        });
    }

    /** All of it: a thread that is parked may go on at any time. */
    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** @param events so far; of the clock and the process the same */
    private record Window(long events, Duration time, Duration cpu) {
        Window since(Window begin) {
            return new Window(events - begin.events, time.minus(begin.time), cpu.minus(begin.cpu));
        }
    }

    private Window now(Streams streams, boolean measured) {
        long events = await(CompletableFuture.supplyAsync(
                () -> {
                    streams.delays().on(measured);
                    return streams.events();
                },
                thread.loop()));
        return new Window(events, Duration.ofNanos(System.nanoTime()), to.cpu().get());
    }

    private Measured streams(Streams streams, Requests requests, int count, Supplier<Window> course) {
        Counts before = engine.now();
        Window window = course.get();
        return new Measured(
                window.events(),
                streams.failed(),
                saw(engine.now().since(before), count, count * requests.bodyBytes()),
                window.time(),
                window.cpu(),
                streams.delays().percentileMs(MEDIAN),
                streams.delays().percentileMs(TAIL));
    }

    private static <T> T await(CompletableFuture<T> future) {
        return future.orTimeout(LONGEST_MIN, TimeUnit.MINUTES).join();
    }

    @Override
    public void close() {
        thread.loop().execute(clients::closeIdle);
    }
}
