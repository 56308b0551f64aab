package io.kvrouter.multijvm;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Gives requests to the nodes of a cluster in turn, as a load balancer that follows {@code /ready}. */
final class Balancer implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final NodeCluster cluster;
    private final Set<NodeProcess> ready = ConcurrentHashMap.newKeySet();
    private final Set<NodeProcess> givenUp = ConcurrentHashMap.newKeySet();
    private final AtomicInteger given = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closed;

    Balancer(NodeCluster cluster) {
        this.cluster = cluster;
        IntStream.range(0, cluster.nodes().size()).forEach(index -> threads.execute(() -> watch(index)));
    }

    private void watch(int index) {
        while (!closed) {
            var node = cluster.node(index);
            if (!givenUp(node) && takes(node)) {
                ready.add(node);
            } else {
                ready.remove(node);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static boolean takes(NodeProcess node) {
        try {
            return node.alive() && node.isReady() && Management.of(node).status("/ready") == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** The next node; none, after a short wait, while none takes requests. */
    Optional<NodeProcess> next() {
        List<NodeProcess> now = cluster.nodes().stream()
                .filter(ready::contains)
                .filter(it -> !givenUp(it))
                .toList();
        if (now.isEmpty()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            return Optional.empty();
        }
        return Optional.of(now.get(Math.floorMod(given.getAndIncrement(), now.size())));
    }

    /** Nothing goes to this process any more; one that is started in its place is another. */
    void giveUp(NodeProcess node) {
        givenUp.add(node);
    }

    boolean givenUp(NodeProcess node) {
        return givenUp.contains(node);
    }

    @Override
    public void close() {
        closed = true;
        threads.close();
    }
}
