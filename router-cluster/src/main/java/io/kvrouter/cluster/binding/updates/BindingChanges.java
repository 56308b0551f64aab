package io.kvrouter.cluster.binding.updates;

import io.kvrouter.cluster.binding.BindingReplica;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.replica.ReplicaTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Which sessions changed last, in order. A session is in it once, at its last change: so it is as long as the number of
 * sessions that changed, and no longer than its bound, however often they change and however slow readers are. Numbers
 * grow by one with each change; they begin anew with the process. Any thread.
 */
public final class BindingChanges implements BindingReplica.Watch {
    private final int bound;
    private final TreeMap<Long, SessionKey> byNumber = new TreeMap<>();
    private final Map<SessionKey, Long> numbers = new HashMap<>();
    private long last;
    private long forgotten;

    /** What follows a number. */
    sealed interface Next {}

    /** A session, and the number of its last change. */
    record Change(long number, SessionKey key) implements Next {}

    /** Why nothing follows. */
    enum None implements Next {
        UP_TO_DATE,
        /** Changes after the number were forgotten, or the number was never given. */
        BEHIND
    }

    BindingChanges(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("remembered changes: " + bound + " (expected: > 0)");
        }
        this.bound = bound;
    }

    /**
     * Begins to remember what changes in the replica. One for a replica.
     *
     * @param bound sessions that are remembered; a reader that is further behind starts over
     */
    public static BindingChanges of(BindingReplica replica, int bound) {
        var changes = new BindingChanges(bound);
        replica.watch(changes);
        return changes;
    }

    @Override
    public void changed(BindingRow row) {
        add(row.key());
    }

    /** What nobody had told before, and what was forgotten at its deadline; a removal that was is no news. */
    @Override
    public void merged(ReplicaTable before, ReplicaTable after) {
        addAll(
                after.replicated().beyond(before.replicated()),
                row -> !before.ahead().row(row.key()).equals(Optional.of(row)));
        Predicate<BindingRow> forgotten =
                row -> !row.removed() && after.row(row.key()).isEmpty();
        if (after.replicated().floor() > before.replicated().floor()) {
            addAll(before.replicated(), forgotten);
        }
        addAll(before.ahead(), forgotten);
    }

    private void addAll(BindingTable table, Predicate<BindingRow> which) {
        for (int i = 0; i < table.size(); i++) {
            BindingRow row = table.row(i);
            if (which.test(row)) {
                add(row.key());
            }
        }
    }

    synchronized void add(SessionKey key) {
        last++;
        Long earlier = numbers.put(key, last);
        if (earlier != null) {
            byNumber.remove(earlier);
        }
        byNumber.put(last, key);
        if (byNumber.size() > bound) {
            var oldest = byNumber.pollFirstEntry();
            numbers.remove(oldest.getValue());
            forgotten = oldest.getKey();
        }
    }

    /** The number of the last change. */
    synchronized long last() {
        return last;
    }

    /** The session whose last change is the first after this number. */
    synchronized Next nextAfter(long number) {
        if (number < forgotten || number > last) {
            return None.BEHIND;
        }
        var next = byNumber.higherEntry(number);
        return next == null ? None.UP_TO_DATE : new Change(next.getKey(), next.getValue());
    }

    synchronized int size() {
        return byNumber.size();
    }
}
