package io.kvrouter.bench.soak.leak;

import io.kvrouter.bench.cluster.LiveObjects;
import io.kvrouter.bench.cluster.LocalNode;
import java.io.IOException;

/**
 * What a node takes while nothing is asked of it, after a garbage collection. Of one quiet moment to the next it must not
 * grow.
 *
 * @param actors that live, of all kinds, the library's own included
 * @param turns objects of turns that are over: requests, their calls and reservations
 */
public record Footing(String node, long files, long threads, long actors, long series, long turns, double heapMb) {
    private static final String[] OF_TURNS = {
        "io.kvrouter.http.turn.RunningTurn",
        "io.kvrouter.http.turn.HeldTurn",
        "io.kvrouter.http.upstream.netty.NettyCall",
        "io.kvrouter.load.Reservation"
    };
    /** A mailbox, which an actor has as long as it lives; caches of remoting keep up to 1,024 actors that are over. */
    private static final String LIVING_ACTOR = "org.apache.pekko.dispatch.Dispatcher$$anon$1";

    private static final double MB = 1 << 20;

    /** Of a node now. */
    public static Footing of(LocalNode node) throws IOException, InterruptedException {
        var objects = LiveObjects.of(node);
        var metrics = node.scrape();
        long actors = objects.count(LIVING_ACTOR);
        if (actors == 0) {
            throw new IllegalStateException("actors of " + node.name() + ": none found (expected: some)");
        }
        long turns = 0;
        for (String type : OF_TURNS) {
            turns += objects.count(type);
        }
        return new Footing(
                node.name(),
                (long) metrics.value("process_open_fds"),
                (long) metrics.value("jvm_threads_current"),
                actors,
                metrics.names().size(),
                turns,
                metrics.value("jvm_memory_used_bytes{area=\"heap\"}") / MB);
    }
}
