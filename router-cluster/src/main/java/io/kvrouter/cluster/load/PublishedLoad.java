package io.kvrouter.cluster.load;

import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.kvrouter.worker.WorkerKey;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/** What the load actor lets others read without asking it: references only, the view is made by who reads it. */
record PublishedLoad(
        Fleet fleet, LoadSlice own, List<PeerSlice> peers, OptionalLong lowestPeerClock, LoadCounters counters) {
    static final PublishedLoad NONE =
            new PublishedLoad(Fleet.EMPTY, LoadSlice.EMPTY, List.of(), OptionalLong.empty(), LoadCounters.NONE);

    LoadView view(long now) {
        List<NodeLoad> nodes = peers.stream().map(peer -> nodeLoad(peer, now)).toList();
        return new LoadView(
                byWorker(own::loadOf, load -> true),
                own.head().bookings(),
                nodes,
                byWorker(this::total, load -> true),
                own.size()
                        + peers.stream().mapToLong(peer -> peer.slice().size()).sum(),
                counters);
    }

    private NodeLoad nodeLoad(PeerSlice peer, long now) {
        LoadSlice.Head head = peer.slice().head();
        return new NodeLoad(
                peer.node().address().toString(),
                Math.max(0, now - peer.heardAt()),
                peer.clock().ms(),
                head.bookings(),
                byWorker(peer.slice()::loadOf, load -> !load.equals(WorkerLoad.NONE)),
                peer.lag().lag(),
                peer.lag().visibleBookings());
    }

    private WorkerLoad total(long key) {
        return peers.stream().map(peer -> peer.slice().loadOf(key)).reduce(own.loadOf(key), WorkerLoad::plus);
    }

    private Map<WorkerId, Map<Integer, WorkerLoad>> byWorker(
            LongFunction<WorkerLoad> loadOf, Predicate<WorkerLoad> shown) {
        Map<WorkerId, Map<Integer, WorkerLoad>> loads = new TreeMap<>();
        for (Worker worker : fleet.workers()) {
            for (int rank = 0; rank < worker.ranks(); rank++) {
                WorkerLoad load = loadOf.apply(WorkerKey.of(worker, rank));
                if (shown.test(load)) {
                    loads.computeIfAbsent(worker.id(), id -> new TreeMap<>()).put(rank, load);
                }
            }
        }
        return loads;
    }
}
