package io.kvrouter.bench.streams;

import io.kvrouter.bench.cluster.LocalNode;
import java.io.IOException;

/**
 * What a node takes, after a garbage collection.
 *
 * @param heapMb live objects
 * @param residentMb of its process, which gives memory back late or never
 * @param requests that it serves
 */
public record Footprint(double heapMb, double residentMb, long threads, long files, long requests) {
    private static final double MB = 1 << 20;

    static Footprint of(LocalNode node) throws IOException, InterruptedException {
        node.collectGarbage();
        var metrics = node.scrape();
        return new Footprint(
                metrics.value("jvm_memory_used_bytes{area=\"heap\"}") / MB,
                metrics.value("process_resident_memory_bytes") / MB,
                (long) metrics.value("jvm_threads_current"),
                (long) metrics.value("process_open_fds"),
                (long) metrics.sum("kvrouter_own_load_requests"));
    }
}
