package io.kvrouter.cluster.binding;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;

/** Rows that wait to be written, writes under way, and who wants to hear of their end. State of the writer. */
final class PendingRows {
    private final Map<Integer, BindingTable> rows = new HashMap<>();
    private final BitSet urgent = new BitSet(SessionKey.TABLES);
    private final long[] oldest = new long[SessionKey.TABLES];
    private final int[] underWay = new int[SessionKey.TABLES];
    private final Map<Integer, List<ActorRef<Done>>> waiting = new HashMap<>();

    void add(BindingRow row, boolean isUrgent, long madeAtNanos) {
        int table = row.key().table();
        rows.merge(table, BindingTable.of(row), BindingTable::merge);
        if (isUrgent && !urgent.get(table)) {
            urgent.set(table);
            oldest[table] = madeAtNanos;
        }
    }

    /** When the oldest of a table's urgent rows was made; none where all only refresh. */
    OptionalLong oldest(int table) {
        return urgent.get(table) ? OptionalLong.of(oldest[table]) : OptionalLong.empty();
    }

    boolean has(int table) {
        return rows.containsKey(table);
    }

    List<Integer> due(boolean urgentOnly) {
        return rows.keySet().stream()
                .filter(table -> !urgentOnly || urgent.get(table))
                .toList();
    }

    /** Takes a table's rows: their write is under way from now on. */
    BindingTable take(int table) {
        urgent.clear(table);
        underWay[table]++;
        var taken = rows.remove(table);
        return taken == null ? BindingTable.EMPTY : taken;
    }

    void await(int table, ActorRef<Done> replyTo) {
        if (underWay[table] == 0) {
            replyTo.tell(Done.getInstance());
        } else {
            waiting.computeIfAbsent(table, any -> new ArrayList<>()).add(replyTo);
        }
    }

    /** One write ended; who waited for the table's last. */
    List<ActorRef<Done>> written(int table) {
        underWay[table]--;
        var heard = underWay[table] == 0 ? waiting.remove(table) : null;
        return heard == null ? List.of() : heard;
    }
}
