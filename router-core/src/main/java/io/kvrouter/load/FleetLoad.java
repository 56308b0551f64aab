package io.kvrouter.load;

import io.kvrouter.kv.index.ActivePrompts;
import io.kvrouter.worker.Fleet;
import java.util.Collection;
import java.util.List;

/**
 * The load of the fleet as one node's selection sees it: its own reservations, exact and at once, and the last known
 * slices of the other members. By index of the roster; a place without an entry is idle.
 */
public final class FleetLoad {
    private final ReservationLedger ledger;
    private Roster roster = new Roster(Fleet.EMPTY);
    private Collection<LoadSlice> slices = List.of();
    private WorkerAccount[] own = {};
    private long[] requests = {};
    private long[] prefillTokens = {};
    private long[] decodeBlocks = {};
    private boolean stale;

    public FleetLoad(ReservationLedger ledger) {
        this.ledger = ledger;
    }

    /** From now on these workers. */
    public void fleet(Roster value) {
        roster = value;
        own = new WorkerAccount[value.size()];
        for (int i = 0; i < own.length; i++) {
            own[i] = ledger.account(value.place(i).key());
        }
        ledger.list(value::has);
        stale = true;
    }

    /** From now on these slices of the other members. */
    public void peers(Collection<LoadSlice> value) {
        slices = value;
        stale = true;
    }

    public Roster roster() {
        return roster;
    }

    /** What this node's requests hold at a place. */
    public WorkerAccount own(int index) {
        return own[index];
    }

    /** The prompts of this node's requests. */
    public ActivePrompts active() {
        return ledger.active();
    }

    public WorkerLoad load(int index) {
        refresh();
        WorkerAccount account = own[index];
        return new WorkerLoad(
                account.requests() + requests[index],
                account.prefillTokens() + prefillTokens[index],
                account.decodeBlocks() + decodeBlocks[index]);
    }

    /** Sums the slices up when the first selection asks: they come more often than that on an idle node. */
    private void refresh() {
        if (!stale) {
            return;
        }
        stale = false;
        requests = new long[roster.size()];
        prefillTokens = new long[roster.size()];
        decodeBlocks = new long[roster.size()];
        for (LoadSlice slice : slices) {
            for (int row = 0; row < slice.size(); row++) {
                int index = roster.indexOf(slice.worker(row));
                if (index >= 0) {
                    requests[index] += slice.number(row, LoadSlice.REQUESTS);
                    prefillTokens[index] += slice.number(row, LoadSlice.PREFILL);
                    decodeBlocks[index] += slice.number(row, LoadSlice.DECODE);
                }
            }
        }
    }
}
