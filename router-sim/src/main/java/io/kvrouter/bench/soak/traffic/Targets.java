package io.kvrouter.bench.soak.traffic;

import io.kvrouter.bench.cluster.LocalNode;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/** The nodes that requests go to, those that are about to die or stand still included. Any thread. */
public final class Targets {
    private final AtomicReference<List<LocalNode>> nodes;

    public Targets(List<LocalNode> nodes) {
        this.nodes = new AtomicReference<>(List.copyOf(nodes));
    }

    /** From now on these, of which there is at least one. */
    public void become(List<LocalNode> now) {
        nodes.set(List.copyOf(now));
    }

    public List<LocalNode> all() {
        return nodes.get();
    }

    public LocalNode any(RandomGenerator random) {
        List<LocalNode> now = nodes.get();
        return now.get(random.nextInt(now.size()));
    }
}
