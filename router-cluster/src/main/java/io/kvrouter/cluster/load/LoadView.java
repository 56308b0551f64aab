package io.kvrouter.cluster.load;

import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.WorkerId;
import java.util.List;
import java.util.Map;

/**
 * The load of the fleet as this node knows it, for people and metrics; at most a flush interval behind the bookings.
 * Loads are by worker and rank; rows of workers that this node does not know are left out.
 *
 * @param own by requests that entered here, of every known worker
 * @param bookings reservations that this node made
 * @param nodes the other members
 * @param total own and the other members', of every known worker
 * @param rows of all these slices, those of workers that this node does not know included: none while the fleet is idle
 */
public record LoadView(
        Map<WorkerId, Map<Integer, WorkerLoad>> own,
        long bookings,
        List<NodeLoad> nodes,
        Map<WorkerId, Map<Integer, WorkerLoad>> total,
        long rows,
        LoadCounters counters) {}
