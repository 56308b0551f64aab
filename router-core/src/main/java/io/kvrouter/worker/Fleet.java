package io.kvrouter.worker;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

    /** Is told of a worker that two fleets do not have alike; null where one does not have it. */
    @FunctionalInterface
    public interface Difference {
        void differs(@Nullable Worker before, @Nullable Worker after);
    }

    /** Tells where another fleet differs. A worker that is the same object costs a comparison of references. */
    @SuppressWarnings("ReferenceEquality") // the same object needs no look inside
    public void differences(Fleet after, Difference difference) {
        var olds = workers.values().iterator();
        var news = after.workers.values().iterator();
        Worker old = next(olds);
        Worker now = next(news);
        while (old != null || now != null) {
            int order = order(old, now);
            if (order != 0 || (old != now && !Objects.equals(old, now))) {
                difference.differs(order <= 0 ? old : null, order >= 0 ? now : null);
            }
            old = order <= 0 ? next(olds) : old;
            now = order >= 0 ? next(news) : now;
        }
    }

    private static @Nullable Worker next(Iterator<Worker> workers) {
        return workers.hasNext() ? workers.next() : null;
    }

    @SuppressWarnings("ReferenceEquality")
    private static int order(@Nullable Worker old, @Nullable Worker now) {
        if (old == now) {
            return 0;
        }
        return old == null ? 1 : now == null ? -1 : old.id().compareTo(now.id());
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
