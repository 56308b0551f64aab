package io.kvrouter.http.reservation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was said of reservations that are not held, for an hour and for at most 100,000 of them (about 15 MB): so that
 * nothing that comes late brings one back. One thread at a time.
 */
final class RememberedNames {
    static final int BOUND = 100_000;
    static final long MEMORY_MS = 3_600_000;

    private final Map<String, Entry> names = new LinkedHashMap<>();

    /** What was said. */
    enum What {
        /** It was held, and ended. */
        ENDED,
        /** It was never held here, and was ended. */
        ENDED_UNSEEN,
        /** It was never held here, and its prefill is complete. */
        PREFILLED
    }

    private record Entry(What what, long atMs) {}

    void remember(String name, What what, long nowMs) {
        names.remove(name); // to its new place in the order
        names.put(name, new Entry(what, nowMs));
        forget(nowMs);
    }

    Optional<What> of(String name, long nowMs) {
        forget(nowMs);
        return Optional.ofNullable(names.get(name)).map(Entry::what);
    }

    private void forget(long nowMs) {
        var oldest = names.values().iterator();
        while (oldest.hasNext()) {
            if (oldest.next().atMs() > nowMs - MEMORY_MS && names.size() <= BOUND) {
                return;
            }
            oldest.remove();
        }
    }

    int size() {
        return names.size();
    }
}
