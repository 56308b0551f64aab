package io.kvrouter.cluster.load;

import io.kvrouter.cluster.load.lag.LagHistogram;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.WorkerId;
import java.util.Map;

/**
 * What another node's requests put on the workers, as last heard.
 *
 * @param node its address in the cluster
 * @param ageMs since when nothing newer was heard of it
 * @param clockOffsetMs its clock against this node's, lower by the shortest way here of the last minutes
 * @param bookings reservations that it had made by then
 * @param load by worker and rank, idle ones left out
 * @param lag how long this node's changes took until they counted there
 * @param visibleBookings reservations of this node that were seen there, by its last answer
 */
public record NodeLoad(
        String node,
        long ageMs,
        long clockOffsetMs,
        long bookings,
        Map<WorkerId, Map<Integer, WorkerLoad>> load,
        LagHistogram.Snapshot lag,
        long visibleBookings) {}
