package io.kvrouter.load;

import com.carrotsearch.hppc.LongLongHashMap;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Writes a node's slice: now and then the whole of it, in between only the rows that changed. Versions follow the
 * node's clock, so that those of a writer which starts anew in the same process are newer than all before.
 */
public final class SliceWriter {
    private final ReservationLedger ledger;
    private LoadSlice current = LoadSlice.EMPTY;

    public SliceWriter(ReservationLedger ledger) {
        this.ledger = ledger;
    }

    /** Whether there are rows to tell. */
    public boolean hasChanges() {
        return ledger.hasChanges();
    }

    /** The rows that changed since the last update; a row of zeros where nothing is left. */
    public LoadSlice changes(long now) {
        List<WorkerLoadRow> rows = new ArrayList<>();
        for (long worker : ledger.takeChanges()) {
            rows.add(new WorkerLoadRow(worker, ledger.load(worker)));
        }
        return write(rows, now, false);
    }

    /** Every row that is not zero: heals what was lost, drops what is zero. */
    public LoadSlice whole(long now) {
        ledger.takeChanges();
        List<WorkerLoadRow> rows = new ArrayList<>();
        ledger.forEachAccount(account -> {
            if (!account.idle()) {
                rows.add(new WorkerLoadRow(account.worker(), account.load()));
            }
        });
        return write(rows, now, true);
    }

    /** The tokens that are resident by the sessions decided on this node; a place that is not named has none. */
    public void footprint(Roster roster, Collection<ResidentTokens> resident) {
        var tokens = new LongLongHashMap();
        for (ResidentTokens at : resident) {
            int index = roster.indexOf(at.worker(), at.rank());
            if (index != PlaceLoads.NOWHERE) {
                tokens.addTo(roster.place(index).key(), at.tokens());
            }
        }
        for (var had : resident()) {
            tokens.putIfAbsent(had, 0);
        }
        for (var now : tokens) {
            ledger.footprint(now.key, now.value);
        }
    }

    /** Worker keys with a footprint so far. */
    private List<Long> resident() {
        List<Long> keys = new ArrayList<>();
        ledger.forEachAccount(account -> {
            if (account.load().footprintTokens() > 0) {
                keys.add(account.worker());
            }
        });
        return keys;
    }

    /** The slice as this node knows it. */
    public LoadSlice current() {
        return current;
    }

    private record WorkerLoadRow(long worker, WorkerLoad load) {}

    private LoadSlice write(List<WorkerLoadRow> loads, long now, boolean whole) {
        long version = Math.max(current.head().version() + 1, now);
        loads.sort(Comparator.comparingLong(WorkerLoadRow::worker));
        long[] rows = new long[loads.size() * LoadSlice.WIDTH];
        int at = 0;
        for (WorkerLoadRow row : loads) {
            rows[at + LoadSlice.KEY] = row.worker;
            rows[at + LoadSlice.VERSION] = version;
            rows[at + LoadSlice.REQUESTS] = row.load.requests();
            rows[at + LoadSlice.PREFILL] = row.load.prefillTokens();
            rows[at + LoadSlice.DECODE] = row.load.decodeBlocks();
            rows[at + LoadSlice.FOOTPRINT] = row.load.footprintTokens();
            at += LoadSlice.WIDTH;
        }
        var head = new LoadSlice.Head(version, whole ? version - 1 : 0, now, ledger.bookings());
        LoadSlice update = LoadSlice.of(head, rows);
        current = current.merge(update);
        return update;
    }
}
