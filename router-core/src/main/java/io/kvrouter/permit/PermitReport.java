package io.kvrouter.permit;

import io.kvrouter.worker.WorkerId;
import java.util.List;

/**
 * What a node tells the office.
 *
 * @param node that tells it
 * @param office that it hears; 0 = none so far
 * @param cap that the node knows of a worker; {@link #NO_CAP} = none
 * @param whole whether this is all that it holds
 */
public record PermitReport(long node, long office, int cap, boolean whole, List<Row> rows) {
    /** Of a node whose requests need no permits. */
    public static final int NO_CAP = Integer.MAX_VALUE;

    public PermitReport {
        rows = List.copyOf(rows);
    }

    /**
     * A worker's permits at the node.
     *
     * @param held that it may use
     * @param wanted that it would use now: of those it holds, and beyond
     * @param seen number of the last grant that it knows; 0 = none of this office
     * @param known whether the worker is in the node's fleet
     */
    public record Row(WorkerId worker, int held, int wanted, long seen, boolean known) {
        /** Whether the node goes short. */
        boolean hungry() {
            return wanted > held;
        }
    }
}
