package io.kvrouter.cluster.permit;

import io.kvrouter.cluster.wire.FormatSerializer;
import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.permit.PermitGrants;
import io.kvrouter.permit.PermitReport;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.ExtendedActorSystem;

/** The bytes of {@link PermitMessage}s: a format byte, then the parts, and a row for each worker. */
public final class PermitSerializer extends FormatSerializer {
    private static final int IDENTIFIER = 761_008;
    private static final int FORMAT = 1;

    /** An id of one character, its length, and four numbers. */
    private static final int LEAST_BYTES = 6;

    /** Made by Pekko's serialization. */
    public PermitSerializer(ExtendedActorSystem system) {
        super(system, IDENTIFIER, FORMAT);
    }

    @Override
    public String manifest(Object message) {
        return switch (message) {
            case PermitMessage.Told told -> "T";
            case PermitMessage.Granted granted -> "G";
            default -> throw noBytesFor(message);
        };
    }

    @Override
    protected void write(WireOutput out, Object message) {
        switch (message) {
            case PermitMessage.Told(var report) -> write(out, report);
            case PermitMessage.Granted(var grants) -> write(out, grants);
            default -> throw noBytesFor(message);
        }
    }

    private static void write(WireOutput out, PermitReport report) {
        out.putLong(report.node()).putVar(report.office()).putVar(report.cap()).putByte(report.whole() ? 1 : 0);
        out.putVar(report.rows().size());
        report.rows()
                .forEach(row -> out.putText(row.worker().value())
                        .putVar(row.held())
                        .putVar(row.wanted())
                        .putVar(row.seen())
                        .putByte(row.known() ? 1 : 0));
    }

    private static void write(WireOutput out, PermitGrants grants) {
        out.putVar(grants.office()).putVar(grants.rows().size());
        grants.rows()
                .forEach(row -> out.putText(row.worker().value())
                        .putVar(row.number())
                        .putVar(row.permits())
                        .putVar(row.keep())
                        .putVar(row.elsewhere()));
    }

    @Override
    protected Object read(WireInput in, String manifest) {
        return switch (manifest) {
            case "T" -> new PermitMessage.Told(report(in));
            case "G" -> new PermitMessage.Granted(grants(in));
            default -> throw unknownManifest();
        };
    }

    private static PermitReport report(WireInput in) {
        long node = in.getLong();
        long office = in.getVar();
        int cap = in.getInt();
        boolean whole = in.getByte() != 0;
        List<PermitReport.Row> rows = new ArrayList<>();
        for (int left = in.getCount(LEAST_BYTES); left > 0; left--) {
            rows.add(new PermitReport.Row(
                    new WorkerId(in.getText()), in.getInt(), in.getInt(), in.getVar(), in.getByte() != 0));
        }
        return new PermitReport(node, office, cap, whole, rows);
    }

    private static PermitGrants grants(WireInput in) {
        long office = in.getVar();
        List<PermitGrants.Row> rows = new ArrayList<>();
        for (int left = in.getCount(LEAST_BYTES); left > 0; left--) {
            rows.add(new PermitGrants.Row(
                    new WorkerId(in.getText()), in.getVar(), in.getInt(), in.getInt(), in.getInt()));
        }
        return new PermitGrants(office, rows);
    }
}
