package io.kvrouter.load;

import com.carrotsearch.hppc.LongObjectHashMap;
import io.kvrouter.kv.index.ActivePrompts;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.BitSet;
import java.util.function.LongPredicate;

/**
 * The load of the fleet as one node's selection sees it: its own reservations, exact and at once, and the last known
 * slices of the other members. By index of the roster; a place without an entry is idle. News of a member cost what they
 * change, and a selection finds everything added up.
 */
public final class FleetLoad {
    private final ReservationLedger ledger;
    private final Roster roster = new Roster();
    private final PlaceLoads places;
    private final BitSet atCap = new BitSet();
    private final LongObjectHashMap<LoadSlice> slices = new LongObjectHashMap<>();
    private final Roster.Watcher seats = new Seats();

    public FleetLoad(ReservationLedger ledger) {
        this.ledger = ledger;
        this.places = ledger.places();
    }

    private final class Seats implements Roster.Watcher {
        @Override
        public void joined(int index, Place place) {
            places.resize(index + 1);
            places.clear(index);
            atCap.clear(index);
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

    /** From now on this node may have no more requests on a worker, or may again. */
    public void atCap(WorkerId worker, boolean full) {
        int index = roster.indexOf(worker, 0);
        int ranks = index == PlaceLoads.NOWHERE ? 0 : roster.worker(index).ranks();
        for (int rank = 0; rank < ranks; rank++) {
            atCap.set(roster.indexOf(worker, rank), full);
        }
    }

    /** Whether there is such a worker. */
    public boolean anyAtCap() {
        return !atCap.isEmpty();
    }

    /** Whether this node may have no more requests on a place's worker. */
    public boolean atCap(int index) {
        return atCap.get(index);
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
