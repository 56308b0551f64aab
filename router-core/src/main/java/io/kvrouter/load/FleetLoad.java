package io.kvrouter.load;

import com.carrotsearch.hppc.LongObjectHashMap;
import io.kvrouter.kv.index.ActivePrompts;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * The load of the fleet as one node's selection sees it: its own reservations, exact and at once, and the last known
 * slices of the other members. By index of the roster; a place without an entry is idle. News of a member cost what they
 * change, and a selection finds everything added up.
 */
public final class FleetLoad {
    private final ReservationLedger ledger;
    private final Roster roster = new Roster();
    private final PlaceLoads places;
    private final int workerCap;
    private final LongObjectHashMap<LoadSlice> slices = new LongObjectHashMap<>();
    private final Roster.Watcher seats = new Seats();

    public FleetLoad(ReservationLedger ledger) {
        this(ledger, Integer.MAX_VALUE);
    }

    /** @param workerCap requests that this node may have on one worker; {@link Integer#MAX_VALUE} = any number */
    public FleetLoad(ReservationLedger ledger, int workerCap) {
        this.ledger = ledger;
        this.places = ledger.places();
        this.workerCap = workerCap;
    }

    private final class Seats implements Roster.Watcher {
        @Override
        public void joined(int index, Place place) {
            places.resize(index + 1);
            places.clear(index);
            ledger.seat(place.key(), index);
            for (var slice : slices) {
                places.add(index, slice.value.loadOf(place.key()));
            }
        }

        @Override
        public void left(int index, Place place) {
            ledger.unseat(place.key());
            places.clear(index);
        }
    }

    /** From now on these workers. */
    public void fleet(Fleet value) {
        roster.become(value, seats);
    }

    /** From now on another member's slice is this. */
    public void peer(long node, LoadSlice slice) {
        LoadSlice before = slices.getOrDefault(node, LoadSlice.EMPTY);
        slices.put(node, slice);
        before.differences(slice, this::add);
    }

    /** Members that do not pass are gone, and what their requests had booked with them. */
    public void retain(LongPredicate members) {
        for (long node : slices.keys().toArray()) {
            if (!members.test(node)) {
                slices.remove(node).differences(LoadSlice.EMPTY, this::add);
            }
        }
    }

    private void add(long worker, WorkerLoad gone, WorkerLoad come) {
        int index = roster.indexOf(worker);
        places.add(
                index,
                come.requests() - gone.requests(),
                come.prefillTokens() - gone.prefillTokens(),
                come.decodeBlocks() - gone.decodeBlocks());
        places.addFootprint(index, come.footprintTokens() - gone.footprintTokens());
    }

    /** Other members whose slice is known: how many may book what this node does not see yet. */
    public int peers() {
        return slices.size();
    }

    public Roster roster() {
        return roster;
    }

    /** What this node's requests hold at a place. */
    public WorkerAccount own(int index) {
        return ledger.account(roster.place(index).key());
    }

    /** Whether this node has as many requests at a place as its worker may have now. */
    public boolean full(int index) {
        Worker worker = roster.worker(index);
        return worker.limited() && own(index).requests() >= worker.allowance();
    }

    /** Whether workers have a cap at all. */
    public boolean capped() {
        return workerCap != Integer.MAX_VALUE;
    }

    /** Whether this node has as many requests on a place's worker, on all its ranks, as it may ever have. */
    public boolean atCap(int index) {
        if (!capped()) {
            return false;
        }
        Worker worker = roster.worker(index);
        if (worker.ranks() == 1) {
            return own(index).requests() >= workerCap;
        }
        long requests = IntStream.range(0, worker.ranks())
                .map(rank -> roster.indexOf(worker.id(), rank))
                .filter(place -> place != PlaceLoads.NOWHERE)
                .mapToLong(place -> own(place).requests())
                .sum();
        return requests >= workerCap;
    }

    /** The prompts of this node's requests. */
    public ActivePrompts active() {
        return ledger.active();
    }

    /** The load at every place. */
    public PlaceLoads places() {
        return places;
    }

    public WorkerLoad load(int index) {
        return places.load(index);
    }
}
