package io.kvrouter.session;

import io.kvrouter.worker.WorkerId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What somebody knows of a session's binding: its version and its worker, or that it was removed at that version. Never
 * a worker that only served a detour: an actor that knows less takes it over as the binding.
 *
 * @param version {@link Version#NONE} when nothing is known
 * @param worker none when the session was removed
 */
public record Known(long version, @Nullable WorkerId worker, int rank) {
    public static final Known NOTHING = new Known(Version.NONE, null, 0);

    public Known {
        if (version < 0 || rank < 0 || (version == Version.NONE && worker != null)) {
            throw new IllegalArgumentException("known binding: version " + version + ", rank " + rank
                    + " (expected: >= 0, no worker without a version)");
        }
    }

    public static Known removed(long version) {
        return new Known(version, null, 0);
    }

    public Optional<Binding> binding() {
        return worker == null ? Optional.empty() : Optional.of(new Binding(worker, rank, version));
    }

    boolean samePlace(Known other) {
        return rank == other.rank && (worker == null ? other.worker == null : worker.equals(other.worker));
    }
}
