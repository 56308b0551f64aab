package io.kvrouter.load;

import com.carrotsearch.hppc.LongIntHashMap;
import io.kvrouter.kv.DenseNumbers;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The places of a fleet, numbered: what is known of a place is found by index, without hashing on the request's path. A
 * place keeps its index as long as it is there, whatever joins or leaves beside it; the index of one that left is given
 * to the next. Which places serve a model is remembered for each group and model. A new fleet costs a comparison of
 * references for each worker that is the same object as before, and work only for the others. Not safe for use by
 * several threads.
 */
public final class Roster {
    private static final int CACHED_DEMANDS = 1_024;

    private final DenseNumbers numbers = new DenseNumbers();
    private final List<@Nullable Place> places = new ArrayList<>();
    private final List<@Nullable Worker> workers = new ArrayList<>();
    private final LongIntHashMap indexes = new LongIntHashMap();
    private final Map<Demand, EligiblePlaces> eligible = new HashMap<>();
    private Fleet fleet = Fleet.EMPTY;
    private long version;
    private int limited;

    /** Is told which places come and go. */
    interface Watcher {
        void joined(int index, Place place);

        void left(int index, Place place);
    }

    /** From now on these workers. */
    void become(Fleet next, Watcher watcher) {
        Fleet before = fleet;
        fleet = next;
        before.differences(next, (old, now) -> change(old, now, watcher));
    }

    private void change(@Nullable Worker old, @Nullable Worker now, Watcher watcher) {
        version++;
        limited += (now != null && now.limited() ? 1 : 0) - (old != null && old.limited() ? 1 : 0);
        for (int rank = 0; old != null && rank < old.ranks(); rank++) {
            Place place = Place.of(old, rank);
            if (now == null || rank >= now.ranks() || Place.of(now, rank).key() != place.key()) {
                leave(place, watcher);
            }
        }
        for (int rank = 0; now != null && rank < now.ranks(); rank++) {
            settle(now, Place.of(now, rank), watcher);
        }
    }

    private void leave(Place place, Watcher watcher) {
        int index = indexes.remove(place.key());
        places.set(index, null);
        workers.set(index, null);
        eligible.values().forEach(known -> known.set(index, false));
        numbers.giveBack(index);
        watcher.left(index, place);
    }

    private void settle(Worker worker, Place place, Watcher watcher) {
        boolean known = indexes.containsKey(place.key());
        int index = known ? indexes.get(place.key()) : numbers.take();
        while (places.size() <= index) {
            places.add(null);
            workers.add(null);
        }
        places.set(index, place);
        workers.set(index, worker);
        eligible.forEach((demand, found) -> found.set(index, demand.admits(worker)));
        if (!known) {
            indexes.put(place.key(), index);
            watcher.joined(index, place);
        }
    }

    /** Another one after every change. */
    public long version() {
        return version;
    }

    /** No place has an index as high as this. */
    public int size() {
        return places.size();
    }

    /** Whether a place has this index: those of places that left are free until the next one joins. */
    public boolean isTaken(int index) {
        return places.get(index) != null;
    }

    /** The place at an index that is taken. */
    public Place place(int index) {
        Place place = places.get(index);
        if (place == null) {
            throw new IllegalArgumentException("roster: index " + index + " (expected: one that is taken)");
        }
        return place;
    }

    /** Whether some worker has less room than its load says. */
    public boolean anyLimited() {
        return limited > 0;
    }

    /** The worker of the place at an index that is taken. */
    public Worker worker(int index) {
        return Objects.requireNonNull(workers.get(index), "roster");
    }

    /** The index of a worker key, -1 if it names no worker of the fleet. */
    public int indexOf(long worker) {
        return indexes.getOrDefault(worker, PlaceLoads.NOWHERE);
    }

    public boolean has(long worker) {
        return indexes.containsKey(worker);
    }

    /** The index of a worker's rank in its current life, -1 if the fleet has none. */
    public int indexOf(WorkerId id, int rank) {
        return fleet.worker(id)
                .map(worker -> indexOf(Place.of(worker, rank).key()))
                .orElse(PlaceLoads.NOWHERE);
    }

    /** The indexes of the places that a request may go to, ascending. The array must not be changed. */
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
        EligiblePlaces known = eligible.get(anyWorker);
        if (known == null) {
            known = new EligiblePlaces(IntStream.range(0, size())
                    .filter(index -> admits(anyWorker, index))
                    .toArray());
            if (known.indexes().length > 0 && eligible.size() < CACHED_DEMANDS) { // what nobody serves costs no memory
                eligible.put(anyWorker, known);
            }
        }
        return known.indexes();
    }

    private boolean admits(Demand anyWorker, int index) {
        Worker worker = workers.get(index);
        return worker != null && anyWorker.admits(worker);
    }
}
