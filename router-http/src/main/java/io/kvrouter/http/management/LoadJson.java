package io.kvrouter.http.management;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.load.LoadCounters;
import io.kvrouter.cluster.load.LoadView;
import io.kvrouter.cluster.load.NodeLoad;
import io.kvrouter.cluster.load.lag.LagHistogram;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.WorkerId;
import java.util.Map;

/**
 * {@code /router/load}: per worker and rank, what this node books, what the others do, and the sum; and how well the
 * nodes hear of each other.
 */
final class LoadJson {
    private static final double MEDIAN = 0.5;
    private static final double NEARLY_ALL = 0.99;

    private LoadJson() {}

    static ObjectNode of(LoadView view) {
        ObjectNode json = Json.object();
        json.set("own", workers(view.own()));
        var nodes = json.putArray("nodes");
        view.nodes().forEach(node -> nodes.add(node(node)));
        json.set("total", workers(view.total()));
        json.put("bookings", view.bookings());
        json.put("rows", view.rows());
        json.set("updates", updates(view.counters()));
        return json;
    }

    private static ObjectNode node(NodeLoad node) {
        ObjectNode json = Json.object();
        json.put("node", node.node());
        json.put("age_ms", node.ageMs());
        json.put("bookings", node.bookings());
        json.put("own_bookings_visible", node.visibleBookings());
        json.set("lag_ms", lag(node.lag()));
        json.set("workers", workers(node.load()));
        return json;
    }

    private static ObjectNode lag(LagHistogram.Snapshot lag) {
        return Json.object()
                .put("p50", lag.quantileMs(MEDIAN))
                .put("p99", lag.quantileMs(NEARLY_ALL))
                .put("max", lag.mostMs())
                .put("measured", lag.count());
    }

    private static ObjectNode updates(LoadCounters counters) {
        return Json.object()
                .put("made", counters.updatesMade())
                .put("received", counters.updatesReceived())
                .put("applied", counters.updatesApplied())
                .put("skipped", counters.updatesSkipped())
                .put("bytes_sent", counters.bytesSent())
                .put("bytes_received", counters.bytesReceived())
                .put("write_timeouts", counters.writeTimeouts());
    }

    private static ObjectNode workers(Map<WorkerId, Map<Integer, WorkerLoad>> loads) {
        ObjectNode workers = Json.object();
        loads.forEach((worker, ranks) -> {
            ObjectNode byRank = workers.putObject(worker.value());
            ranks.forEach((rank, load) -> byRank.set(Integer.toString(rank), load(load)));
        });
        return workers;
    }

    static ObjectNode load(WorkerLoad load) {
        return Json.object()
                .put("requests", load.requests())
                .put("prefill_tokens", load.prefillTokens())
                .put("decode_blocks", load.decodeBlocks())
                .put("footprint_tokens", load.footprintTokens());
    }
}
