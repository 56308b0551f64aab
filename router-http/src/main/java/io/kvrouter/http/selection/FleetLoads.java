package io.kvrouter.http.selection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.kvrouter.http.turn.TurnPorts;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * {@code GET /loads}: by routing group and model, what all nodes have booked on each rank of each worker. A worker that
 * serves several models is under each: its load is its own.
 */
final class FleetLoads {
    private final TurnPorts ports;

    private record Partition(String group, String model) implements Comparable<Partition> {
        @Override
        public int compareTo(Partition other) {
            int byGroup = group.compareTo(other.group);
            return byGroup != 0 ? byGroup : model.compareTo(other.model);
        }
    }

    FleetLoads(TurnPorts ports) {
        this.ports = ports;
    }

    /** Of one model or group only, where the query names one. */
    JsonNode of(HttpRequest request) {
        var query = request.getUri().query();
        Predicate<Partition> asked = partition -> query.get("routing_group")
                        .filter(g -> !g.equals(partition.group))
                        .isEmpty()
                && query.get("model").filter(m -> !m.equals(partition.model)).isEmpty();
        Map<WorkerId, Map<Integer, WorkerLoad>> total = ports.desk().view().total();
        ArrayNode all = ReservationJson.object().arrayNode();
        partitions().forEach((partition, workers) -> {
            if (asked.test(partition)) {
                var json = all.addObject().put("model", partition.model()).put("routing_group", partition.group());
                ArrayNode loads = json.putArray("loads");
                workers.forEach(worker -> addRanks(loads, worker, total.getOrDefault(worker, Map.of())));
            }
        });
        return all;
    }

    private Map<Partition, Set<WorkerId>> partitions() {
        Map<Partition, Set<WorkerId>> partitions = new TreeMap<>();
        for (Worker worker : ports.fleet().get().workers()) {
            for (String model : worker.facts().models()) {
                partitions
                        .computeIfAbsent(new Partition(worker.registration().group(), model), any -> new TreeSet<>())
                        .add(worker.id());
            }
        }
        return partitions;
    }

    private static void addRanks(ArrayNode loads, WorkerId worker, Map<Integer, WorkerLoad> ranks) {
        new TreeMap<>(ranks)
                .forEach((rank, load) -> loads.addObject()
                        .put("worker_id", worker.value())
                        .put("dp_rank", rank)
                        .put("active_requests", load.requests())
                        .put("active_prefill_tokens", load.prefillTokens())
                        .put("active_decode_blocks", load.decodeBlocks()));
    }
}
