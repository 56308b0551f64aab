package io.kvrouter.cluster.binding.table;

import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a table: floor, the workers that its rows name, then the rows by key, about 32 bytes each. Equal tables
 * have equal bytes, which Distributed Data compares.
 */
public final class BindingCodec {
    private static final int BYTES_A_ROW = 34;

    private BindingCodec() {}

    public static void write(BindingTable table, WireOutput out) {
        out.putVar(table.floor());
        var workers = new LinkedHashMap<WorkerId, Integer>();
        for (int i = 0; i < table.size(); i++) {
            var worker = table.row(i).worker();
            if (worker != null) {
                workers.putIfAbsent(worker, workers.size() + 1);
            }
        }
        out.putVar(workers.size());
        workers.keySet().forEach(worker -> out.putText(worker.value()));
        out.putVar(table.size());
        for (int i = 0; i < table.size(); i++) {
            write(table.row(i), workers, out);
        }
    }

    public static BindingTable read(WireInput in) {
        long floor = in.getVar();
        int named = in.getCount();
        var workers = new ArrayList<WorkerId>(named);
        for (int i = 0; i < named; i++) {
            workers.add(new WorkerId(in.getText()));
        }
        return BindingTable.inOrder(floor, in.getCount(), () -> row(in, workers));
    }

    /** About how many bytes a table takes. */
    public static int estimate(BindingTable table) {
        return 64 + table.size() * BYTES_A_ROW;
    }

    private static void write(BindingRow row, Map<WorkerId, Integer> workers, WireOutput out) {
        var worker = row.worker();
        out.putLong(row.key().high())
                .putLong(row.key().low())
                .putLong(row.version())
                .putVar(worker == null ? 0 : workers.getOrDefault(worker, 0))
                .putVar(row.rank())
                .putVar(row.deadlineMs());
    }

    private static BindingRow row(WireInput in, List<WorkerId> workers) {
        var key = new SessionKey(in.getLong(), in.getLong());
        long version = in.getLong();
        return new BindingRow(key, version, worker(in.getInt(), workers), in.getInt(), in.getVar());
    }

    private static @Nullable WorkerId worker(int index, List<WorkerId> workers) {
        return index == 0 ? null : workers.get(index - 1);
    }
}
