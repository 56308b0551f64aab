package io.kvrouter.cluster.permit;

import io.kvrouter.permit.PermitGrants;
import io.kvrouter.permit.PermitReport;

/** What goes between the office and the nodes. Any of it may be lost. */
public sealed interface PermitMessage {
    /** A node tells the office. */
    record Told(PermitReport report) implements PermitMessage {}

    /** The office tells a node. */
    record Granted(PermitGrants grants) implements PermitMessage {}
}
