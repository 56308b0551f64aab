package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The cap of a worker holds for all nodes together, also while the node that shares it out dies; its part comes back. */
@SuppressWarnings("NullAway.Init") // JUnit sets them
class PermitDeathTest {
    private static final int CAP = 4;
    private static final int CLIENTS_OF_A_NODE = 8;
    private static final Map<String, String> SETTINGS = Map.of(
            "kvrouter.admission.requests-per-worker", "" + CAP,
            "kvrouter.admission.queue", "100",
            "kvrouter.admission.queue-timeout", "2m");

    private static NodeCluster cluster;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Integer> statuses = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    @BeforeAll
    static void start() throws Throwable {
        cluster = NodeCluster.start("permit-death", Collections.nCopies(3, SETTINGS));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void theCapHoldsWhileTheOldestNodeDiesAndItsPermitsComeBack() throws Throwable {
        NodeProcess oldest = cluster.node(0);
        try (var workers = WorkerGroup.start(cluster, "permits", 1, 1)) {
            SimulatedWorker worker = workers.worker(workers.ids().iterator().next());
            var most = new AtomicInteger();
            List<Future<?>> running = startAll(workers, worker, most);
            eventually(() -> assertThat(statuses).hasSizeGreaterThan(30));
            assertThat(most).hasValue(CAP);

            oldest.kill();
            oldest.awaitExit();
            Management.onEach(
                    cluster.without(oldest), node -> assertThat(node.members()).hasSize(2));
            int before = statuses.size();
            eventually(() -> assertThat(statuses).hasSizeGreaterThan(before + 30));
            eventually(() -> assertThat(running(worker)).isEqualTo(CAP));

            stopped = true;
            for (Future<?> one : running) {
                one.get(60, TimeUnit.SECONDS);
            }
            assertThat(most).hasValue(CAP);
            assertThat(statuses).containsOnly(200);
        } finally {
            stopped = true;
            threads.shutdownNow();
        }
    }

    private List<Future<?>> startAll(WorkerGroup workers, SimulatedWorker worker, AtomicInteger most) {
        List<Future<?>> running = new ArrayList<>();
        running.add(threads.submit(() -> watch(worker, most)));
        for (NodeProcess node : cluster.nodes()) {
            for (int i = 0; i < CLIENTS_OF_A_NODE; i++) {
                running.add(threads.submit(() -> ask(workers, node, cluster.node(0))));
            }
        }
        return running;
    }

    private Void watch(SimulatedWorker worker, AtomicInteger most) throws InterruptedException {
        while (!stopped) {
            most.accumulateAndGet(running(worker), Math::max);
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return null;
    }

    private static int running(SimulatedWorker worker) {
        return worker.stats().running() + worker.stats().waiting();
    }

    /** Each asks again as soon as it is answered; those of a node that dies end with it. */
    private Void ask(WorkerGroup workers, NodeProcess node, NodeProcess mortal) throws Exception {
        var chat = new Chat("sim-model", "Hello", 20, false, Map.of()).in(workers.name());
        while (!stopped) {
            try {
                statuses.add(chat.through(node).status());
            } catch (IOException e) {
                if (node == mortal) {
                    return null;
                }
                throw e;
            }
        }
        return null;
    }
}
