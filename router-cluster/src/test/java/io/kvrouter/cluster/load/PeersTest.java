package io.kvrouter.cluster.load;

import static io.kvrouter.cluster.load.TestNodes.ANY;
import static io.kvrouter.cluster.load.TestNodes.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.booking.BookingDesk;
import io.kvrouter.booking.BookingSettings;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.Workload;
import io.kvrouter.cluster.load.wire.LoadData;
import io.kvrouter.cluster.load.wire.LoadKey;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.selection.Candidate;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.kvrouter.worker.WorkerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.util.Version;
import org.junit.jupiter.api.Test;

/** One node's view of the others, whatever becomes of their messages. */
class PeersTest {
    private static final int WORKERS = 5;
    private static final int NODES = 3;
    private static final SelectionRequest LOOK = SelectionRequest.of(ANY, Prompt.ofText(""));

    @Test
    void afterEveryOrderLossAndRepetitionTheViewIsWhatTheLivingBookAndZeroAtTheEnd() {
        for (int seed = 0; seed < 80; seed++) {
            var world = new World(new Random(seed));
            for (int step = 0; step < 250; step++) {
                world.step();
            }

            world.settle();
            assertThat(world.seen()).as("seed %d", seed).isEqualTo(world.booked());

            world.endAll();
            world.settle();
            assertThat(world.seen().values()).as("seed %d, at the end", seed).containsOnly(WorkerLoad.NONE);
            assertThat(world.peers.current())
                    .as("seed %d, rows at the end", seed)
                    .allMatch(peer -> peer.slice().size() == 0);
        }
    }

    @Test
    void whatANodeSaidBeforeItsJoinWasSeenCountsFromThenOn() {
        var world = new World(new Random(1));
        var early = new Node(NODES, 9);
        early.book(new Random(1));
        world.peers.learn(early.address, early.desk.writer().changes(++world.now), world.now);
        assertThat(world.seen().values()).containsOnly(WorkerLoad.NONE);

        world.peers.learn(new ClusterEvent.MemberJoined(member(early.address, MemberStatus.joining())));

        assertThat(world.seen().values()).extracting(WorkerLoad::requests).contains(1L);
    }

    private static Member member(UniqueAddress address, MemberStatus status) {
        var role = new scala.collection.immutable.Set.Set1<>("dc-default");
        return new Member(address, 1, status, role, Version.Zero());
    }

    /** A node that serves requests, without a cluster around it. */
    private static final class Node {
        private final UniqueAddress address;
        private final BookingDesk desk = desk();
        private final List<ReservationId> running = new ArrayList<>();
        private long lastId;

        Node(int number, long uid) {
            address = new UniqueAddress(new Address("pekko", "kvrouter", "127.0.0.1", 17_000 + number), uid);
        }

        static BookingDesk desk() {
            var desk = new BookingDesk(BookingSettings.DEFAULT, () -> CacheView.EMPTY, new Random(1));
            desk.fleet(TestNodes.fleet(WORKERS));
            return desk;
        }

        void book(Random random) {
            var reservation = new ReservationId(++lastId);
            running.add(reservation);
            var pin = new Pin(ANY, id(random.nextInt(WORKERS)), 0);
            var unused =
                    desk.reserve(pin, new Workload.Estimated(random.nextInt(99), random.nextInt(99)), reservation, 0);
        }

        void work(Random random) {
            switch (random.nextInt(4)) {
                case 0 -> end(random);
                case 1 -> desk.prefillComplete(new ReservationId(1 + random.nextLong(lastId + 1)), 0);
                default -> book(random);
            }
        }

        private void end(Random random) {
            if (!running.isEmpty()) {
                desk.end(running.remove(random.nextInt(running.size())), 0);
            }
        }

        void endAll() {
            running.forEach(reservation -> desk.end(reservation, 0));
            running.clear();
        }
    }

    /** Nodes that work, die and start again, and the view that one of them has. */
    private static final class World {
        private final Random random;
        private final Node self = new Node(NODES + 1, 1);
        private final Peers peers = new Peers(self.address, self.desk);
        private final List<Node> nodes = new ArrayList<>();
        private final List<Runnable> underWay = new ArrayList<>();
        private LoadData replicated = LoadData.EMPTY;
        private long uids = 100;
        private long now;

        World(Random random) {
            this.random = random;
            for (int i = 0; i < NODES; i++) {
                nodes.add(new Node(i, ++uids));
                join(nodes.get(i));
            }
        }

        private void join(Node node) {
            peers.learn(new ClusterEvent.MemberJoined(member(node.address, MemberStatus.joining())));
            peers.learn(new ClusterEvent.MemberUp(member(node.address, MemberStatus.up())));
        }

        void step() {
            now++;
            int number = random.nextInt(NODES);
            Node node = nodes.get(number);
            switch (random.nextInt(24)) {
                case 0 -> dies(number);
                case 1, 2, 3 -> send(node, node.desk.writer().whole(now), true);
                case 4, 5, 6, 7, 8, 9 -> send(node, node.desk.writer().changes(now), false);
                case 10, 11, 12, 13, 14 -> arrives();
                case 15 -> self.work(random);
                case 16 -> flicker();
                default -> node.work(random);
            }
        }

        /** Directly, which may be lost or come twice; a whole slice in the replicated value too, which comes late. */
        private void send(Node node, LoadSlice slice, boolean whole) {
            for (int copies = random.nextInt(3); copies > 0; copies--) {
                underWay.add(() -> peers.learn(node.address, slice, now));
            }
            if (whole) {
                replicated = replicated.write(node.address, slice);
                replicate();
            }
        }

        private void replicate() {
            LoadData value = replicated;
            LoadKey.ALL.forEach(key -> underWay.add(() -> peers.learn(key, of(key, value), now)));
        }

        /** As Distributed Data tells it: the nodes whose slices lie under that key. */
        private static LoadData of(LoadKey key, LoadData all) {
            Map<UniqueAddress, LoadSlice> slices = new TreeMap<>();
            all.slices().forEach((node, slice) -> {
                if (LoadKey.of(node).equals(key)) {
                    slices.put(node, slice);
                }
            });
            return LoadData.of(slices);
        }

        private void arrives() {
            if (!underWay.isEmpty()) {
                underWay.remove(random.nextInt(underWay.size())).run();
            }
        }

        /** Its messages go on arriving; a new one takes its place, with the same address. */
        private void dies(int number) {
            Node dead = nodes.get(number);
            peers.learn(new ClusterEvent.MemberDowned(member(dead.address, MemberStatus.down())));
            if (random.nextBoolean()) {
                replicated = replicated.prune(dead.address, self.address);
            }
            peers.learn(
                    new ClusterEvent.MemberRemoved(member(dead.address, MemberStatus.removed()), MemberStatus.down()));
            nodes.set(number, new Node(number, ++uids));
            join(nodes.get(number));
        }

        /** Workers go and come back as they were. */
        private void flicker() {
            self.desk.fleet(TestNodes.fleet(1 + random.nextInt(WORKERS)));
            self.desk.fleet(TestNodes.fleet(WORKERS));
        }

        /** Each node writes its whole slice once more, and all that is under way arrives, in any order. */
        void settle() {
            now++;
            nodes.forEach(node -> {
                LoadSlice whole = node.desk.writer().whole(now);
                underWay.add(() -> peers.learn(node.address, whole, now));
            });
            while (!underWay.isEmpty()) {
                arrives();
            }
        }

        void endAll() {
            nodes.forEach(Node::endAll);
            self.endAll();
        }

        /** What the selection of this node sees, by worker. */
        Map<WorkerId, WorkerLoad> seen() {
            Map<WorkerId, WorkerLoad> loads = new TreeMap<>();
            for (Candidate candidate : self.desk.explain(LOOK, 0).candidates()) {
                loads.put(candidate.place().worker(), candidate.load());
            }
            return loads;
        }

        /** What the living nodes have booked. */
        Map<WorkerId, WorkerLoad> booked() {
            List<Node> living = new ArrayList<>(nodes);
            living.add(self);
            Map<WorkerId, WorkerLoad> sum = new TreeMap<>();
            for (Node node : living) {
                LoadSlice all = node.desk.writer().whole(now);
                for (Worker worker : TestNodes.fleet(WORKERS).workers()) {
                    sum.merge(worker.id(), all.loadOf(WorkerKey.of(worker, 0)), WorkerLoad::plus);
                }
            }
            return sum;
        }
    }
}
