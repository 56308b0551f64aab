package io.kvrouter.load;

import com.carrotsearch.hppc.LongIntHashMap;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The places of a fleet, numbered: what is known of a place is found by index, without hashing on the request's path.
 * Which of them serve a model is computed once for each group and model. Not safe for use by several threads.
 */
public final class Roster {
    private static final int CACHED_DEMANDS = 1_024;

    private final Fleet fleet;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final LongIntHashMap indexes = new LongIntHashMap();
    private final Map<Demand, int[]> eligible = new HashMap<>();

    public Roster(Fleet fleet) {
        this.fleet = fleet;
        for (Worker worker : fleet.workers()) {
            for (int rank = 0; rank < worker.ranks(); rank++) {
                Place place = Place.of(worker, rank);
                indexes.put(place.key(), places.size());
                places.add(place);
                workers.add(worker);
            }
        }
    }

    public int size() {
        return places.size();
    }

    public Place place(int index) {
        return places.get(index);
    }

    /** The index of a worker key, -1 if it names no worker of the fleet. */
    public int indexOf(long worker) {
        return indexes.getOrDefault(worker, -1);
    }

    public boolean has(long worker) {
        return indexes.containsKey(worker);
    }

    /** The indexes of the places that a request may go to, ordered by worker and rank. */
    public int[] eligible(Demand demand) {
        int[] serving = serving(new Demand(demand.group(), demand.model(), Set.of()));
        Set<WorkerId> allowed = demand.allowed();
        return allowed.isEmpty()
                ? serving
                : IntStream.of(serving)
                        .filter(index -> allowed.contains(place(index).worker()))
                        .toArray();
    }

    /** The place of a worker's rank, if the request may go there. */
    public Optional<Place> eligible(Demand demand, WorkerId id, int rank) {
        return fleet.eligible(demand, id)
                .filter(worker -> rank >= 0 && rank < worker.ranks())
                .map(worker -> Place.of(worker, rank));
    }

    private int[] serving(Demand anyWorker) {
        int[] known = eligible.get(anyWorker);
        if (known != null) {
            return known;
        }
        int[] found = IntStream.range(0, size())
                .filter(index -> anyWorker.admits(workers.get(index)))
                .toArray();
        if (found.length > 0 && eligible.size() < CACHED_DEMANDS) { // names that nobody serves cost no memory
            eligible.put(anyWorker, found);
        }
        return found;
    }
}
