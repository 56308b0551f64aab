package io.kvrouter.permit;

import io.kvrouter.worker.WorkerId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** Nodes and offices, and a network that loses and delays what they tell one another, in the order of each way. */
final class PermitWorld {
    static final List<WorkerId> WORKERS = List.of(new WorkerId("a"), new WorkerId("b"));

    /** So long the office keeps what a downed node holds. */
    private static final long REST_MS = 2_000;
    /** After so long a node knows that it stood still, and so long it takes one at most to learn that it was downed. */
    private static final long STANDSTILL_MS = 5_001;

    private static final long LEARNS_MS = 8_000;

    final int cap;
    final Random random;
    final List<Node> nodes = new ArrayList<>();
    /** Downed: they live on until they learn of it. */
    final List<Node> downed = new ArrayList<>();

    private final Map<Long, Long> rests = new HashMap<>();
    private final Map<Long, Deque<PermitGrants>> toNodes = new HashMap<>();
    private final Map<Long, Deque<PermitReport>> toOffice = new HashMap<>();
    PermitOffice office;
    double losses;
    private final List<Late> lates = new ArrayList<>();
    private long offices;
    private long now;
    private long lastNode;

    PermitWorld(int cap, int count, long seed) {
        this.cap = cap;
        this.random = new Random(seed);
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(++lastNode));
        }
        this.office = new PermitOffice(1, 0, ids(), Set.of());
    }

    private Set<Long> ids() {
        Set<Long> ids = new HashSet<>();
        nodes.forEach(node -> ids.add(node.id));
        return ids;
    }

    /** All that live, members or not. */
    private Stream<Node> living() {
        return Stream.concat(nodes.stream(), downed.stream());
    }

    /** What runs on a worker, of all nodes. */
    int running(WorkerId worker) {
        return living().mapToInt(node -> node.running(worker)).sum();
    }

    int held(WorkerId worker) {
        return living().mapToInt(node -> node.permits.held(worker)).sum();
    }

    /** The office is lost with all that was on the way to it; what it told may come still, after what the next one tells. */
    void officeDies() {
        toOffice.clear();
        toNodes.forEach((node, grants) -> grants.forEach(late -> lates.add(new Late(node, late))));
        toNodes.clear();
        office = new PermitOffice(random.nextInt(4), ++offices, ids(), Set.copyOf(rests.keySet()));
    }

    private record Late(long node, PermitGrants grants) {}

    /** Of an office that is gone: in any order beside what the next one tells. */
    private void deliverLate() {
        if (!lates.isEmpty() && random.nextInt(4) == 0) {
            Late late = lates.remove(random.nextInt(lates.size()));
            living().filter(Node::isAwake)
                    .filter(node -> node.id == late.node())
                    .forEach(node -> node.hears(late.grants()));
        }
    }

    void nodeDies(Node node) {
        nodes.remove(node);
        office.leaves(node.id);
    }

    /** The others take it for dead; it goes on with what it has, and is heard no more. */
    void nodeIsDowned(Node node) {
        if (!nodes.remove(node)) {
            return;
        }
        downed.add(node);
        node.learnsAt = now + random.nextLong(REST_MS);
        rests.put(node.id, now + REST_MS);
        office.downs(node.id);
    }

    /** The same, of one that does nothing for longer than the office waits, and then goes on. */
    void nodeStandsStill(Node node) {
        nodeIsDowned(node);
        node.wakesAt = now + STANDSTILL_MS + random.nextLong(2 * STANDSTILL_MS);
        node.learnsAt = node.wakesAt + random.nextLong(LEARNS_MS);
    }

    private void downedNodesLearnAndEnd() {
        downed.stream().filter(node -> node.learnsAt <= now).forEach(Node::ends);
        downed.removeIf(node -> node.learnsAt <= now);
        rests.entrySet().removeIf(rest -> {
            boolean over = rest.getValue() <= now;
            if (over) {
                office.leaves(rest.getKey());
            }
            return over;
        });
    }

    void nodeJoins() {
        var node = new Node(++lastNode);
        nodes.add(node);
        office.joins(node.id);
    }

    /** Time goes by; nodes tell what they have to. */
    void pass(long ms) {
        now += ms;
        living().filter(Node::isAwake).forEach(node -> {
            boolean unused = node.permits.awake(now);
        });
        downedNodesLearnAndEnd();
        living().filter(Node::isAwake).forEach(Node::tells);
    }

    /** A message arrives somewhere, or is lost. */
    void deliver() {
        if (nodes.isEmpty()) {
            return;
        }
        deliverLate();
        List<Node> all = living().filter(Node::isAwake).toList();
        if (all.isEmpty()) {
            return;
        }
        Node node = all.get(random.nextInt(all.size()));
        PermitReport report = queue(toOffice, node.id).poll();
        if (report != null && random.nextDouble() >= losses) {
            officeHears(report);
        }
        PermitGrants grants = queue(toNodes, node.id).poll();
        if (grants != null && random.nextDouble() >= losses) {
            node.hears(grants);
        }
    }

    private void officeHears(PermitReport report) {
        office.told(report);
        if (office.asks(report.node())) {
            queue(toNodes, report.node()).add(office.question());
        }
        office.news().forEach((to, grants) -> queue(toNodes, to).add(grants));
    }

    private static <M> Deque<M> queue(Map<Long, Deque<M>> queues, long node) {
        return queues.computeIfAbsent(node, any -> new ArrayDeque<>());
    }

    /** No message is lost any more, and all arrive. */
    void settle() {
        losses = 0;
        for (int i = 0; i < 20; i++) {
            pass(1_000);
            for (int message = 0; message < 200; message++) {
                deliver();
            }
        }
    }

    final class Node implements NodePermits.Use {
        final long id;
        final NodePermits permits;
        final Map<WorkerId, Integer> running = new HashMap<>();
        final Map<WorkerId, Integer> waiting = new HashMap<>();
        private Set<WorkerId> known = Set.of();
        private long learnsAt;
        private long wakesAt;

        Node(long id) {
            this.id = id;
            this.permits = new NodePermits(id, cap, this);
            knows(WORKERS);
        }

        void knows(Collection<WorkerId> workers) {
            known = Set.copyOf(workers);
            permits.fleet(known);
        }

        boolean knowsAll() {
            return known.size() == WORKERS.size();
        }

        @Override
        public int running(WorkerId worker) {
            return running.getOrDefault(worker, 0);
        }

        @Override
        public int waiting(WorkerId worker) {
            return waiting.getOrDefault(worker, 0);
        }

        boolean isAwake() {
            return now >= wakesAt;
        }

        private void hears(PermitGrants grants) {
            permits.told(grants, now);
            WORKERS.forEach(this::serves);
        }

        /** Lets go on who waits and may. */
        void serves(WorkerId worker) {
            while (waiting(worker) > 0 && running(worker) < permits.held(worker)) {
                waiting.merge(worker, -1, Integer::sum);
                running.merge(worker, 1, Integer::sum);
            }
        }

        void ends(WorkerId worker) {
            if (running(worker) > 0) {
                running.merge(worker, -1, Integer::sum);
                boolean unused = permits.settle(worker);
            }
        }

        /** It learns that it was downed: nothing begins any more, and what runs is ended. */
        private void ends() {
            permits.cutOff();
            WORKERS.forEach(this::serves);
            while (!running.values().stream().allMatch(some -> some == 0)) {
                WORKERS.forEach(this::ends);
            }
        }

        private void tells() {
            permits.report(now, waiting.values().stream().anyMatch(some -> some > 0))
                    .ifPresent(report -> queue(toOffice, id).add(report));
        }
    }
}
