package io.kvrouter.http.management;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.load.LoadView;
import io.kvrouter.load.WorkerLoad;
import io.kvrouter.worker.WorkerId;
import java.util.Map;

/** {@code /router/load}: per worker and rank, what this node books, what the others do, and the sum. */
final class LoadJson {
    private LoadJson() {}

    static ObjectNode of(LoadView view) {
        ObjectNode json = Json.object();
        json.set("own", workers(view.own()));
        var nodes = json.putArray("nodes");
        view.nodes().forEach(node -> {
            ObjectNode one = nodes.addObject();
            one.put("node", node.node());
            one.put("age_ms", node.ageMs());
            one.set("workers", workers(node.load()));
        });
        json.set("total", workers(view.total()));
        return json;
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
                .put("decode_blocks", load.decodeBlocks());
    }
}
