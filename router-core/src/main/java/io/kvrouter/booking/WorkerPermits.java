package io.kvrouter.booking;

import io.kvrouter.admission.Admission;
import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.admission.Aim;
import io.kvrouter.permit.NodePermits;
import io.kvrouter.permit.PermitGrants;
import io.kvrouter.permit.PermitReport;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node's part of its workers' permits: which are in use, who waits for one, and which workers its desk may book no more
 * requests on. Lives inside one actor.
 */
final class WorkerPermits implements NodePermits.Use {
    private static final long RECOUNT_MS = 20;

    private final boolean capped;
    private final BookingDesk desk;
    private final Admission admission;
    private final NodePermits permits;
    private final Map<WorkerId, Integer> running = new HashMap<>();
    private Fleet fleet = Fleet.EMPTY;
    private Map<Aim, Integer> sought = Map.of();
    private final Map<Aim, Integer> elsewhere = new HashMap<>();
    private long countedElsewhere = -RECOUNT_MS;

    /**
     * What a node has of its workers' permits.
     *
     * @param cap of a worker; if it is {@link AdmissionSettings#UNBOUNDED}, nothing here counts, and the office hears just that
     * @param node as the office knows it
     */
    WorkerPermits(int cap, long node, BookingDesk desk, Admission admission) {
        this.capped = cap != AdmissionSettings.UNBOUNDED;
        this.desk = desk;
        this.admission = admission;
        this.permits = new NodePermits(node, cap, this);
    }

    @Override
    public int running(WorkerId worker) {
        return running.getOrDefault(worker, 0);
    }

    @Override
    public int waiting(WorkerId worker) {
        if (sought.isEmpty()) {
            return 0;
        }
        int waiting = sought.getOrDefault(Aim.Door.ANY, 0) + sought.getOrDefault(new Aim.Only(worker), 0);
        for (var entry : sought.entrySet()) {
            if (entry.getKey() instanceof Aim.Serving(var demand)
                    && fleet.eligible(demand, worker).isPresent()) {
                waiting += entry.getValue();
            }
        }
        return waiting;
    }

    /** From now on these workers. */
    void fleet(Fleet workers) {
        if (!capped) {
            return;
        }
        fleet = workers;
        permits.fleet(workers.workers().stream().map(Worker::id).collect(Collectors.toSet()));
        showAll();
    }

    /** The node runs. Whether it may use other permits than before. */
    boolean awake(long now) {
        boolean other = capped && permits.awake(now);
        if (other) {
            showAll();
        }
        return other;
    }

    /** The node is no member any more. */
    void cutOff() {
        permits.cutOff();
        elsewhere.clear();
        showAll();
    }

    private void showAll() {
        fleet.workers().forEach(worker -> show(worker.id()));
    }

    private void show(WorkerId worker) {
        desk.atCap(worker, running(worker) >= permits.held(worker));
    }

    /** Permits that other nodes may give of the workers that it may be; at the door, of all. */
    int elsewhere(Aim aim, long now) {
        if (!capped) {
            return 0;
        }
        if (aim instanceof Aim.Only(var worker)) {
            return permits.elsewhere(worker, now);
        }
        if (now - countedElsewhere > RECOUNT_MS) {
            countedElsewhere = now;
            elsewhere.clear();
        }
        return elsewhere.computeIfAbsent(aim, any -> countElsewhere(any, now));
    }

    private int countElsewhere(Aim aim, long now) {
        Stream<Worker> workers = aim instanceof Aim.Serving(var demand)
                ? fleet.eligible(demand).stream()
                : fleet.workers().stream().filter(Worker::available);
        long all =
                workers.mapToLong(worker -> permits.elsewhere(worker.id(), now)).sum();
        return (int) Math.min(all, AdmissionSettings.UNBOUNDED);
    }

    /** Requests that may be on all workers; any number where nobody is there, so that it is for the turn to say so. */
    int room() {
        if (fleet.workers().stream().noneMatch(Worker::available)) {
            return AdmissionSettings.UNBOUNDED;
        }
        long held = fleet.workers().stream()
                .filter(Worker::available)
                .mapToLong(worker -> permits.held(worker.id()))
                .sum();
        return (int) Math.min(held, AdmissionSettings.UNBOUNDED);
    }

    /** The office has told something; the workers of which more requests may be now. */
    Set<WorkerId> told(PermitGrants grants, long now) {
        Map<WorkerId, Integer> before = new HashMap<>();
        grants.rows().forEach(row -> before.put(row.worker(), permits.held(row.worker())));
        permits.told(grants, now);
        before.keySet().forEach(this::show);
        elsewhere.clear();
        before.entrySet().removeIf(entry -> permits.held(entry.getKey()) <= entry.getValue());
        return before.keySet();
    }

    /** A request was booked on a worker. */
    void taken(WorkerId worker) {
        if (!capped) {
            return;
        }
        running.merge(worker, 1, Integer::sum);
        show(worker);
    }

    /** One is over. Whether its permit went back to the office. */
    boolean freed(WorkerId worker) {
        if (!capped) {
            return false;
        }
        running.computeIfPresent(worker, (any, requests) -> requests == 1 ? null : requests - 1);
        boolean fewer = permits.settle(worker);
        show(worker);
        return fewer;
    }

    boolean hasNews() {
        return permits.hasNews();
    }

    Optional<PermitReport> report(long now) {
        sought = admission.sought();
        return permits.report(now, !sought.isEmpty());
    }
}
