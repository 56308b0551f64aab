package io.kvrouter.bench.load;

import io.kvrouter.cluster.load.LoadView;
import io.kvrouter.cluster.load.NodeLoad;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.WorkerId;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a node reports.
 *
 * @param cpuSeconds of the process, while measured
 * @param bytesSent while measured
 * @param updates made while measured
 * @param skipped while measured
 * @param bookings made in all
 * @param late looks at a peer, twice a second, at which something was not visible there that had been made more than a
 *     second before
 * @param views what it books itself and what it sees of each peer, as checksums by node address
 */
public record NodeRun(
        double cpuSeconds,
        long bytesSent,
        long updates,
        long skipped,
        long bookings,
        long late,
        Map<String, Long> views) {

    /** Checksums of the standing loads: a node's own under its own address. */
    static Map<String, Long> views(String self, LoadView view) {
        Map<String, Long> views = new TreeMap<>(
                view.nodes().stream().collect(Collectors.toMap(NodeLoad::node, node -> checksum(node.load()))));
        views.put(self, checksum(view.own()));
        return views;
    }

    private static long checksum(Map<WorkerId, Map<Integer, WorkerLoad>> loads) {
        long sum = 0;
        for (var worker : loads.entrySet()) {
            for (var rank : worker.getValue().entrySet()) {
                if (!rank.getValue().equals(WorkerLoad.NONE)) {
                    sum += 31L * worker.getKey().value().hashCode()
                            + rank.getValue().hashCode();
                }
            }
        }
        return sum;
    }
}
