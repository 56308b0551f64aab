package io.kvrouter.permit;

import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The permits that a node holds. What it has at hand it uses without asking; it asks when it goes short, and gives back
 * when the office says that another node does. Times are the node's, in ms. Lives inside one actor.
 */
public final class NodePermits {
    private static final long NONE_YET = 0;
    private static final long WHOLE_MS = 1_000;
    /** So often the office is told that a worker is gone. */
    private static final int FAREWELLS = 5;
    /** So long it is believed that other nodes have no permit to spare. */
    private static final long FRESH_MS = 100;
    /** So often the office hears of a worker that the node goes short of, and answers. */
    private static final long REPEAT_MS = 50;

    /**
     * After standing still for so long a node may have been downed meanwhile, and its permits given to others. Less than
     * the cluster takes to down a node.
     */
    private static final long STANDSTILL_MS = 5_000;
    /** So long it takes a node that was downed to learn of it, at most. */
    private static final long DOUBT_MS = 8_000;

    /** What the node does with its permits. */
    public interface Use {
        /** Requests that hold a permit of the worker. */
        int running(WorkerId worker);

        /** Requests that wait for one of the worker, or of any. */
        int waiting(WorkerId worker);
    }

    private static final class Slot {
        private int held;
        private int keep;
        private long seen;
        private int wantedElsewhere;
        private long heard = -FRESH_MS;
        private int farewells;
        private PermitReport.@Nullable Row told;
        private long toldAt;
    }

    private final long node;
    private final int cap;
    private final Use use;
    private final Map<WorkerId, Slot> slots = new HashMap<>();
    private long office = NONE_YET;
    private Set<WorkerId> fleet = Set.of();
    private boolean asked = true;
    private boolean urgent;
    private boolean changed;
    private boolean someWaited;
    private long toldWhole = -WHOLE_MS;
    private long awake = Long.MAX_VALUE;
    private long doubtsUntil = Long.MIN_VALUE;
    private boolean doubts;
    private boolean cutOff;

    /**
     * A node that holds nothing.
     *
     * @param node as the office knows it
     * @param cap permits of each worker; {@link PermitReport#NO_CAP} = it needs none
     */
    public NodePermits(long node, int cap, Use use) {
        this.node = node;
        this.cap = cap;
        this.use = use;
    }

    /** From now on requests may go to these workers. */
    public void fleet(Set<WorkerId> workers) {
        changed |= !workers.equals(fleet);
        fleet = workers;
    }

    /** Requests that may be on a worker at a time. */
    public int held(WorkerId worker) {
        Slot slot = slots.get(worker);
        if (slot == null) {
            return 0;
        }
        return doubts ? Math.min(slot.held, use.running(worker)) : slot.held;
    }

    /**
     * The node runs; to be told many times a second, and before anything else happens. One that stood still begins nothing
     * for a while: it may be no member any more. Whether it may use other permits than before.
     */
    public boolean awake(long now) {
        if (now - awake > STANDSTILL_MS) {
            doubtsUntil = now + DOUBT_MS;
        }
        awake = now;
        boolean before = doubts;
        doubts = now < doubtsUntil;
        return doubts != before;
    }

    /**
     * The node is no member any more, and others are given its permits. What runs goes on, nothing begins: whatever the
     * office, or one that was before, says to it still.
     */
    public void cutOff() {
        cutOff = true;
        slots.forEach((worker, slot) -> {
            slot.keep = 0;
            slot.held = Math.min(slot.held, use.running(worker));
        });
    }

    /** Permits of a worker that this node has not, and no other one wants as far as is known. */
    public int elsewhere(WorkerId worker, long now) {
        Slot slot = slots.get(worker);
        if (cutOff) {
            return 0;
        }
        if (slot == null) {
            return cap;
        }
        int wanted = now - slot.heard <= FRESH_MS ? slot.wantedElsewhere : 0;
        return Math.max(0, cap - wanted - slot.held);
    }

    /**
     * A request on the worker is over: its permit goes back if another node waits for it, and is not to be used again while
     * the node may be no member. Whether fewer may be used now.
     */
    public boolean settle(WorkerId worker) {
        Slot slot = slots.get(worker);
        boolean back = slot != null && settle(worker, slot);
        return back || doubts;
    }

    private boolean settle(WorkerId worker, Slot slot) {
        int stays = Math.max(use.running(worker), slot.keep);
        if (stays >= slot.held) {
            return false;
        }
        slot.held = stays;
        urgent = true;
        return true;
    }

    /** The office has told something. Of an office that was before, nothing counts. */
    public void told(PermitGrants grants, long now) {
        if (cutOff || grants.office() < office) {
            return;
        }
        if (grants.office() > office) {
            office = grants.office();
            asked = true;
            slots.values().forEach(slot -> {
                slot.seen = 0;
                slot.keep = slot.held;
            });
        }
        asked |= grants.rows().isEmpty();
        changed = true;
        for (PermitGrants.Row row : grants.rows()) {
            Slot slot = slots.computeIfAbsent(row.worker(), any -> new Slot());
            if (row.number() > slot.seen) {
                slot.seen = row.number();
                slot.held = row.permits();
            }
            if (row.number() == slot.seen) {
                hear(row, slot, now);
            }
        }
    }

    private void hear(PermitGrants.Row row, Slot slot, long now) {
        boolean called = row.keep() < slot.keep;
        slot.keep = row.keep();
        if (slot.told != null && slot.told.hungry()) {
            slot.wantedElsewhere = row.elsewhere();
            slot.heard = now;
        }
        settle(row.worker(), slot);
        if (called && slot.held > slot.keep) {
            slot.told = null; // what stays is in use: the office waits to hear that
            urgent = true;
        }
    }

    /** Whether the office has to hear at once. */
    public boolean hasNews() {
        return !cutOff && (asked || urgent);
    }

    /**
     * What the office does not know, if anything; and all of it once a second, since a message may be lost, or more often
     * before there is one.
     *
     * @param someWait whether any request waits for a permit
     */
    public Optional<PermitReport> report(long now, boolean someWait) {
        if (cutOff) {
            return Optional.empty();
        }
        boolean whole = asked || now - toldWhole >= (office == NONE_YET ? REPEAT_MS : WHOLE_MS);
        if (!whole && !urgent && !changed && !someWait && !someWaited) {
            return Optional.empty();
        }
        asked = false;
        urgent = false;
        changed = false;
        someWaited = someWait;
        toldWhole = whole ? now : toldWhole;
        List<PermitReport.Row> rows = rows(whole, now);
        return rows.isEmpty() && !whole
                ? Optional.empty()
                : Optional.of(new PermitReport(node, office, cap, whole, rows));
    }

    private List<PermitReport.Row> rows(boolean whole, long now) {
        fleet.forEach(worker -> slots.computeIfAbsent(worker, any -> new Slot()));
        List<PermitReport.Row> rows = new ArrayList<>();
        slots.forEach((worker, slot) -> {
            PermitReport.Row row = row(worker, slot, fleet.contains(worker));
            if (whole || differs(row, slot.told) || (row.hungry() && now - slot.toldAt >= REPEAT_MS)) {
                rows.add(row);
                slot.told = row;
                slot.toldAt = now;
                slot.farewells = row.known() || row.held() > 0 ? 0 : slot.farewells + 1;
            }
        });
        slots.values().removeIf(slot -> slot.farewells > FAREWELLS);
        return rows;
    }

    private PermitReport.Row row(WorkerId worker, Slot slot, boolean known) {
        if (!known) {
            slot.keep = 0;
            settle(worker, slot);
        } else if (slot.told != null && !slot.told.known()) {
            slot.keep = slot.held;
        }
        int running = use.running(worker);
        int more = known && running >= slot.held ? use.waiting(worker) : 0;
        int wanted = Math.max(running, Math.min(cap, running + more));
        return new PermitReport.Row(worker, slot.held, wanted, slot.seen, known);
    }

    /** Whether the office would decide otherwise. How much more a node wants that has its part already is all the same. */
    private static boolean differs(PermitReport.Row now, PermitReport.@Nullable Row told) {
        return told == null
                || now.held() != told.held()
                || now.known() != told.known()
                || now.hungry() != told.hungry();
    }
}
