package io.kvrouter.worker;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Every worker that this node knows: an immutable snapshot, replaced whole. */
public final class Fleet {
    /** No workers. */
    public static final Fleet EMPTY = new Fleet(List.of());

    private final Map<WorkerId, Worker> workers;

    public Fleet(Collection<Worker> workers) {
        this.workers = workers.stream().collect(Collectors.toMap(Worker::id, w -> w, (a, b) -> b, TreeMap::new));
    }

    public Optional<Worker> worker(WorkerId id) {
        return Optional.ofNullable(workers.get(id));
    }

    /** All of them, ordered by id. */
    public Collection<Worker> workers() {
        return workers.values();
    }

    /** The workers that a request may go to, ordered by id. */
    public List<Worker> eligible(Demand demand) {
        return workers.values().stream().filter(demand::admits).toList();
    }

    /** The bound worker of a session, if the request may still go there. */
    public Optional<Worker> eligible(Demand demand, WorkerId id) {
        return worker(id).filter(demand::admits);
    }
}
