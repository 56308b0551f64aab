package io.kvrouter.cluster.kv;

import io.kvrouter.kv.fleet.EventSources;
import io.kvrouter.kv.fleet.RankSource;
import io.kvrouter.kv.stream.RankStream;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.zeromq.ZContext;

/**
 * Subscribes to engines' events over ZeroMQ, on a few threads of its own: sockets may be used by one thread only, and
 * neither actors nor event loops wait for them. Each rank has a socket of its own, so that one engine's loss, restart or
 * silence is its own.
 */
public final class KvEventSources implements EventSources, AutoCloseable {
    /** One of each rank, and one while it is asked for a replay. */
    private static final int MAX_SOCKETS = 65_536;

    private final ZContext context = new ZContext(1);
    private final List<EventPoller> pollers;

    /**
     * @param threads how many; each core that they may have
     */
    public KvEventSources(int threads) {
        if (threads <= 0) {
            throw new IllegalArgumentException("threads: " + threads + " (expected: > 0)");
        }
        context.setLinger(0);
        context.getContext().setMaxSockets(MAX_SOCKETS);
        pollers = IntStream.range(0, threads)
                .mapToObj(number -> EventPoller.start(context, "kvrouter-kv-events-" + number))
                .toList();
    }

    /** Milliseconds of a clock that does not jump: what streams are timed with here. */
    public static long clock() {
        return System.nanoTime() / 1_000_000;
    }

    @Override
    public Feed open(RankSource source, RankStream stream) {
        EventPoller poller =
                pollers.stream().min(Comparator.comparingInt(EventPoller::load)).orElseThrow();
        return poller.add(new RankFeed(source, stream));
    }

    /** Disconnects everything, and waits for the threads. The streams are not closed. */
    @Override
    public void close() {
        pollers.forEach(EventPoller::stop);
        pollers.forEach(EventPoller::join);
        context.close();
    }
}
