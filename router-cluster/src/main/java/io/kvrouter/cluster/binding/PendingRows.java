package io.kvrouter.cluster.binding;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Rows that wait to be written. State of the writer. */
final class PendingRows {
    private final Map<Integer, BindingTable> rows = new HashMap<>();
    private final BitSet urgent = new BitSet(SessionKey.TABLES);
    private final long[] oldest = new long[SessionKey.TABLES];

    /** One table's rows. */
    record Taken(int table, BindingTable rows, OptionalLong oldestUrgent) {}

    void add(BindingRow row, boolean isUrgent, long madeAtNanos) {
        int table = row.key().table();
        rows.merge(table, BindingTable.of(row), BindingTable::merge);
        if (isUrgent && !urgent.get(table)) {
            urgent.set(table);
            oldest[table] = madeAtNanos;
        }
    }

    boolean has(int table) {
        return rows.containsKey(table);
    }

    /** The tables to write now. */
    List<Integer> due(boolean urgentOnly) {
        return rows.keySet().stream()
                .filter(table -> !urgentOnly || urgent.get(table))
                .toList();
    }

    /** Takes a table's rows; when the oldest of its urgent ones was made, if there are any. */
    Taken take(int table) {
        var made = urgent.get(table) ? OptionalLong.of(oldest[table]) : OptionalLong.empty();
        urgent.clear(table);
        var taken = rows.remove(table);
        return new Taken(table, taken == null ? BindingTable.EMPTY : taken, made);
    }
}
