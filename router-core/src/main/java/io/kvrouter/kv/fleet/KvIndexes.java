package io.kvrouter.kv.fleet;

import com.carrotsearch.hppc.LongObjectHashMap;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.stream.RankStream;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.kvrouter.worker.WorkerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The registry of all KV caches that this node follows. It opens and closes streams as the fleet changes, and tells
 * which place's cache is where. Readers take {@link #view()} without a lock; the rest is short and waits for no I/O.
 */
public final class KvIndexes {
    private final KvFleetSettings settings;
    private final RankOpener opener;
    private final LongSupplier seeds;

    private final Map<PartitionKey, Partition> partitions = new TreeMap<>();
    private final Map<WorkerId, List<OpenRank>> open = new TreeMap<>();
    private final Map<WorkerId, Integer> seenBlockSizes = new HashMap<>();
    private Fleet fleet = Fleet.EMPTY;
    private volatile List<KvIndex> indexes = List.of();
    private volatile CacheView view = CacheView.EMPTY;

    /**
     * @param connections what opens streams
     * @param seeds random numbers
     */
    public KvIndexes(KvFleetSettings settings, StreamParts connections, LongSupplier seeds) {
        this.settings = settings;
        this.seeds = seeds;
        this.opener = new RankOpener(connections, settings.streams(), () -> bytes() >= settings.maxBytes());
    }

    /**
     * The workers have changed.
     *
     * @return the same workers, each with the block size that its events have where its registration says none
     */
    public synchronized Fleet fleet(Fleet changed) {
        fleet = changed;
        Map<PartitionKey, List<Worker>> members = members();
        partitions.keySet().retainAll(members.keySet());
        members.forEach((key, workers) -> {
            int size = blockSize(workers);
            partitions.compute(key, (k, known) -> known != null && known.blockSize() == size ? known : create(k, size));
        });
        indexes = partitions.values().stream().map(Partition::index).toList();
        connect(members);
        return new Fleet(fleet.workers().stream().map(this::completed).toList());
    }

    private Worker completed(Worker worker) {
        Optional<Integer> size = told(worker);
        return size.equals(worker.facts().blockSize())
                ? worker
                : worker.with(worker.probed().withBlockSize(size));
    }

    private Partition create(PartitionKey key, int blockSize) {
        return new Partition(key, blockSize, new KvIndex(settings.maxBytes(), seeds.getAsLong()));
    }

    /**
     * Looks whether events tell other block sizes than were assumed. To be called about twice a second.
     *
     * @return the workers as {@link #fleet} returns them, if they are others now
     */
    public synchronized Optional<Fleet> tick() {
        Map<WorkerId, Integer> before = Map.copyOf(seenBlockSizes);
        fleet.workers().forEach(this::told);
        if (!before.equals(seenBlockSizes)) {
            return Optional.of(fleet(fleet));
        }
        return Optional.empty();
    }

    /** Nothing is followed any more. */
    public synchronized void close() {
        var unused = fleet(Fleet.EMPTY);
    }

    /** The workers that publish events, by partition, ordered by id. */
    private Map<PartitionKey, List<Worker>> members() {
        Map<PartitionKey, List<Worker>> members = new TreeMap<>();
        for (Worker worker : fleet.workers()) {
            if (!RankSource.of(worker, settings).isEmpty()) {
                PartitionKey.of(worker)
                        .ifPresent(key -> members.computeIfAbsent(key, k -> new ArrayList<>())
                                .add(worker));
            }
        }
        return members;
    }

    private int blockSize(List<Worker> workers) {
        return BlockSizes.most(
                workers.stream().flatMap(worker -> told(worker).stream()).toList(), Worker.DEFAULT_BLOCK_SIZE);
    }

    /** A worker's block size: what its registration says, else its events, else the engine itself. */
    private Optional<Integer> told(Worker worker) {
        open.getOrDefault(worker.id(), List.of()).stream()
                .map(OpenRank::engineBlockSize)
                .filter(size -> size > 0)
                .forEach(size -> seenBlockSizes.put(worker.id(), size));
        return worker.registration()
                .stated()
                .blockSize()
                .or(() -> Optional.ofNullable(seenBlockSizes.get(worker.id())))
                .or(() -> worker.probed().blockSize());
    }

    private void connect(Map<PartitionKey, List<Worker>> members) {
        Map<WorkerId, List<OpenRank>> wanted = new TreeMap<>();
        partitions.forEach((key, partition) -> members.getOrDefault(key, List.of())
                .forEach(worker -> wanted.put(worker.id(), ranks(worker, partition))));
        open.forEach((id, ranks) -> ranks.stream()
                .filter(rank -> !wanted.getOrDefault(id, List.of()).contains(rank))
                .forEach(OpenRank::close));
        open.clear();
        open.putAll(wanted);
        seenBlockSizes.keySet().retainAll(wanted.keySet());
        show();
    }

    /** The ranks of a worker: those that are open and still right, and new ones. */
    private List<OpenRank> ranks(Worker worker, Partition partition) {
        List<OpenRank> known = open.getOrDefault(worker.id(), List.of());
        List<OpenRank> ranks = RankSource.of(worker, settings).stream()
                .map(source -> known.stream()
                        .filter(rank -> rank.serves(source, partition, worker.incarnation()))
                        .findFirst()
                        .orElseGet(() -> opener.open(source, partition)))
                .toList();
        tell(worker, ranks);
        return ranks;
    }

    private void tell(Worker worker, List<OpenRank> ranks) {
        ranks.forEach(rank -> rank.told(
                worker.incarnation(), told(worker).orElse(rank.partition().blockSize())));
    }

    private void show() {
        var places = new LongObjectHashMap<CacheOf>();
        places((place, rank) -> places.put(place, rank.cache()));
        if (!view.shows(places)) {
            view = new CacheView(view.version() + 1, places);
        }
    }

    /** Which place's cache is where, now. */
    public CacheView view() {
        return view;
    }

    /** A rank that this node follows. */
    public record Followed(long place, int blockSize) {}

    /** The ranks of which other nodes may know more. */
    public synchronized List<Followed> helpless() {
        List<Followed> found = new ArrayList<>();
        places((place, rank) -> {
            if (rank.wantsHelp()) {
                found.add(new Followed(place, rank.partition().blockSize()));
            }
        });
        return found;
    }

    /**
     * Does something with a rank's stream, on the thread that feeds it.
     *
     * @return whether the rank is followed, with blocks of this size
     */
    public synchronized boolean act(Followed wanted, Consumer<RankStream> action) {
        List<OpenRank> found = new ArrayList<>();
        places((place, rank) -> {
            if (place == wanted.place() && rank.partition().blockSize() == wanted.blockSize()) {
                found.add(rank);
            }
        });
        found.forEach(rank -> rank.act(action));
        return !found.isEmpty();
    }

    private interface PlaceVisitor {
        void visit(long place, OpenRank rank);
    }

    private void places(PlaceVisitor visitor) {
        open.forEach((id, ranks) -> fleet.worker(id).ifPresent(worker -> {
            for (int rank = 0; rank < ranks.size(); rank++) {
                visitor.visit(WorkerKey.of(worker, rank), ranks.get(rank));
            }
        }));
    }

    /** What the indexes take of the heap, by their own account. */
    public long bytes() {
        long bytes = 0;
        for (KvIndex index : indexes) {
            bytes += index.bytes();
        }
        return bytes;
    }

    /** The index of each partition. */
    public synchronized List<Partition> partitions() {
        return List.copyOf(partitions.values());
    }

    /** What is known of each worker that should publish events, ordered by id. */
    public synchronized List<WorkerKvStatus> status() {
        List<WorkerKvStatus> all = new ArrayList<>();
        open.forEach((id, ranks) -> {
            if (!ranks.isEmpty()) {
                Partition partition = ranks.getFirst().partition();
                var status = ranks.stream().map(OpenRank::status).toList();
                int expected = fleet.worker(id).map(Worker::ranks).orElse(ranks.size());
                all.add(new WorkerKvStatus(
                        id,
                        partition.key(),
                        partition.blockSize(),
                        status,
                        KvWarnings.of(status, expected, partition)));
            }
        });
        return all;
    }
}
