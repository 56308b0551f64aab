package io.kvrouter.session;

import io.kvrouter.worker.WorkerId;

/** Where a session lives: a rank of a worker, at a version. */
public record Binding(WorkerId worker, int rank, long version) {
    public Binding {
        if (rank < 0 || version <= Version.NONE) {
            throw new IllegalArgumentException(
                    "binding: rank " + rank + ", version " + version + " (expected: >= 0, > 0)");
        }
    }

    public Known known() {
        return new Known(version, worker, rank);
    }
}
