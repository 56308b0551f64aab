package io.kvrouter.session;

import io.kvrouter.worker.WorkerId;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One session in a {@link BindingTable}: the replicated memory of its binding, or of its removal. Made by the
 * session's actor only. Of two rows of a session the greater stays: by version, deadline, worker (none is least), rank.
 *
 * @param worker none for a removed session
 * @param deadlineMs wall clock in ms, from which on the row means nothing; later than the session's own deadline
 */
public record BindingRow(
        SessionKey key, long version, @Nullable WorkerId worker, int rank, long deadlineMs) {
    static final Comparator<@Nullable WorkerId> BY_WORKER = Comparator.nullsFirst(Comparator.naturalOrder());

    public BindingRow {
        if (version <= Version.NONE || rank < 0) {
            throw new IllegalArgumentException(
                    "binding row: version " + version + ", rank " + rank + " (expected: > 0, >= 0)");
        }
    }

    public boolean removed() {
        return worker == null;
    }

    /** Names a worker, and its deadline is still ahead. */
    public boolean usable(long nowMs) {
        return worker != null && deadlineMs > nowMs;
    }

    /** The binding, where the row is usable. */
    public Optional<Binding> binding(long nowMs) {
        return usable(nowMs) ? known().binding() : Optional.empty();
    }

    /** What a turn that reads this row tells the session's actor. */
    public Known known() {
        return new Known(version, worker, rank);
    }
}
