package io.kvrouter.bench.soak.leak;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Watches a cluster from which all clients have gone until nothing is left of them. */
public final class QuietWatch {
    private static final int LOOK_MS = 200;

    private final LocalCluster cluster;
    private final Map<String, SimulatedWorker> workers;

    /**
     * What was left.
     *
     * @param seconds until everything was gone, or until the watch ended
     * @param goneAfter by kind, when it was seen for the last time, in seconds
     * @param leaks what is left in the end
     */
    public record Quiet(double seconds, SortedMap<String, Double> goneAfter, List<Leak> leaks) {}

    /**
     * A watch.
     *
     * @param workers those that are registered, by id
     */
    public QuietWatch(LocalCluster cluster, Map<String, SimulatedWorker> workers) {
        this.cluster = cluster;
        this.workers = workers;
    }

    /** Waits until nothing is left, for so long at most. */
    public Quiet await(Duration patience) throws InterruptedException {
        long began = System.nanoTime();
        SortedMap<String, Double> last = new TreeMap<>();
        while (true) {
            double seconds = (System.nanoTime() - began) / 1e9;
            List<Leak> leaks = look();
            leaks.forEach(leak -> last.put(leak.kind(), seconds));
            if (leaks.isEmpty() || seconds > patience.toMillis() / 1e3) {
                return new Quiet(seconds, last, leaks);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }

    private List<Leak> look() throws InterruptedException {
        List<Leak> leaks = new ArrayList<>();
        for (LocalNode node : cluster.alive()) {
            Set<String> others = new HashSet<>();
            cluster.alive().stream().filter(other -> other != node).forEach(other -> others.add(other.address()));
            try {
                leaks.addAll(NodeResidue.of(node, new NodeResidue.Expected(node.name(), workers.keySet(), others)));
            } catch (IOException e) {
                leaks.add(new Leak("management", node.name(), "does not answer"));
            }
        }
        workers.forEach((id, worker) -> {
            var stats = worker.stats();
            if (stats.running() + stats.waiting() > 0) {
                leaks.add(new Leak("requests in engines", id, stats.running() + " run, " + stats.waiting() + " wait"));
            }
        });
        return leaks;
    }
}
