package io.kvrouter.cluster.overview;

import io.kvrouter.cluster.binding.BindingReplica;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Pages through the usable rows of a node's replica: table after table, by key in each. A page begins after the last
 * key of the one before, so that no session that stays is missed or told twice while others come and go.
 */
public final class BindingPages {
    /**
     * What to list.
     *
     * @param after the last key of the page before
     * @param limit rows of a page, at least 1
     */
    public record Query(Optional<WorkerId> worker, OptionalInt shard, Optional<SessionKey> after, int limit) {}

    /** Rows, and the key after which the next page begins; none after the last page. */
    public record Page(List<BindingRow> rows, Optional<SessionKey> next) {}

    private final BindingReplica replica;

    public BindingPages(BindingReplica replica) {
        this.replica = replica;
    }

    /** One page. Looks at as many rows as it takes to fill it: at all of them where few match. */
    public Page page(Query query, long nowMs) {
        List<BindingRow> rows = new ArrayList<>();
        int first = query.after().map(SessionKey::table).orElse(0);
        for (int number = first; number < SessionKey.TABLES && rows.size() <= query.limit(); number++) {
            if (query.shard().isEmpty()
                    || number % SessionKey.SHARDS == query.shard().getAsInt()) {
                add(query, number, nowMs, rows);
            }
        }
        boolean more = rows.size() > query.limit();
        List<BindingRow> page = List.copyOf(more ? rows.subList(0, query.limit()) : rows);
        return new Page(page, more ? Optional.of(page.getLast().key()) : Optional.empty());
    }

    private void add(Query query, int number, long nowMs, List<BindingRow> rows) {
        BindingTable table = replica.table(number);
        Predicate<WorkerId> wanted =
                worker -> query.worker().map(worker::equals).orElse(true);
        int start = query.after()
                .filter(key -> key.table() == number)
                .map(table::after)
                .orElse(0);
        for (int i = start; i < table.size() && rows.size() <= query.limit(); i++) {
            WorkerId worker = table.workerAt(i, nowMs);
            if (worker != null && wanted.test(worker)) {
                rows.add(table.row(i));
            }
        }
    }
}
