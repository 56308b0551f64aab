package io.kvrouter.permit;

import io.kvrouter.worker.WorkerId;
import java.util.List;

/**
 * What the office tells a node. Without rows it asks for a whole report.
 *
 * @param office that tells it: a later one has the higher number
 */
public record PermitGrants(long office, List<Row> rows) {
    public PermitGrants {
        rows = List.copyOf(rows);
    }

    /**
     * A worker's permits of the node.
     *
     * @param number of this grant; the node's permits change with it only
     * @param permits that it may use, all of them
     * @param keep of these: what it uses beyond is to be given back when it comes free
     * @param elsewhere permits that other nodes want
     */
    public record Row(WorkerId worker, long number, int permits, int keep, int elsewhere) {}
}
