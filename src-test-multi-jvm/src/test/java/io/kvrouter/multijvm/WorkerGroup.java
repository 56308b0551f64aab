package io.kvrouter.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Simulated workers in a routing group of their own, so that tests that share a cluster don't see each other's workers.
 * They run in this JVM: their request logs are the proof of where requests went.
 */
final class WorkerGroup implements AutoCloseable {
    /** Of a real engine: so many streams leave the machine time for the rest. */
    private static final double SPEED = 0.5;

    private final NodeCluster cluster;
    private final String name;
    private final SimulatedFleet fleet;
    private final Map<String, SimulatedWorker> registered = new LinkedHashMap<>();

    private WorkerGroup(NodeCluster cluster, String name, SimulatedFleet fleet) {
        this.cluster = cluster;
        this.name = name;
        this.fleet = fleet;
    }

    /** Starts so many workers and registers the first of them with the cluster. */
    static WorkerGroup start(NodeCluster cluster, String name, int workers, int toRegister) throws Throwable {
        return start(cluster, name, workers, toRegister, SPEED);
    }

    /** The same at this fraction of a real engine's speed. */
    static WorkerGroup start(NodeCluster cluster, String name, int workers, int toRegister, double speed)
            throws Throwable {
        var settings = SimSettings.DEFAULT
                .withModels("sim-model", "brief-model")
                .withEngine(EngineSettings.DEFAULT.withSpeed(1, speed));
        var group = new WorkerGroup(cluster, name, SimulatedFleet.start(workers, 0, settings));
        try {
            for (int i = 0; i < toRegister; i++) {
                group.register(i);
            }
            return group;
        } catch (Throwable e) {
            group.close();
            throw e;
        }
    }

    /** Registers over one node, and waits until all have found the worker up. */
    String register(int index) throws Throwable {
        String id = name + "-" + index;
        SimulatedWorker worker = fleet.worker(index);
        registered.put(id, worker);
        Management.of(cluster.node(index % cluster.nodes().size()))
                .post("/workers", Map.of("id", id, "url", worker.url().toString(), "group", name));
        awaitState(id, "up");
        return id;
    }

    void awaitState(String id, String state) throws Throwable {
        Management.onEach(
                cluster.nodes(),
                node -> assertThat(node.workers()).as("at %s", node).containsEntry(id, state));
    }

    /** Waits until a worker has no load left in any node's eyes. */
    void awaitFree() throws Throwable {
        for (String id : registered.keySet()) {
            Management.onEach(
                    cluster.nodes(),
                    node -> assertThat(node.free(id))
                            .as("%s free at %s", id, node)
                            .isTrue());
        }
    }

    String name() {
        return name;
    }

    Set<String> ids() {
        return Set.copyOf(registered.keySet());
    }

    SimulatedWorker worker(String id) {
        var worker = registered.get(id);
        if (worker == null) {
            throw new IllegalArgumentException("worker " + id + " (expected: one of " + registered.keySet() + ")");
        }
        return worker;
    }

    Chat session(String id) {
        return Chat.ofSession(id).in(name);
    }

    /** Ids of the workers that have requests of this session in their own logs. */
    Set<String> servedBy(String session) {
        return registered.entrySet().stream()
                .filter(worker -> !requests(worker.getKey(), session).isEmpty())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** A session's requests, as a worker logged them. */
    List<JsonNode> requests(String worker, String session) {
        return worker(worker).requests().stream()
                .filter(request ->
                        request.path("headers").path("x-session-id").asText().equals(session))
                .toList();
    }

    @Override
    public void close() throws IOException {
        for (String id : registered.keySet()) {
            if (cluster.node(0).alive() && cluster.node(0).isReady()) {
                Management.of(cluster.node(0)).delete("/workers/" + id);
            }
        }
        fleet.close();
    }
}
