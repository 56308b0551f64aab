package io.kvrouter.load;

import io.kvrouter.kv.RecentKeys;

/**
 * The reservations that have ended, so that no late booking brings one back: for an hour, and at most 250,000 (15 MB) of
 * the node's own and as many of callers. Apart, because the node's own pass by thousands a second, always in time, and
 * would push out those whose messages may really be late.
 */
final class EndedIds {
    private static final long MEMORY_MS = 3_600_000;
    private static final int MEMORY_IDS = 250_000;

    private final RecentKeys own = new RecentKeys();
    private final RecentKeys callers = new RecentKeys();

    boolean contains(ReservationId id) {
        return of(id).contains(id.value());
    }

    void add(ReservationId id, long now) {
        RecentKeys ids = of(id);
        ids.touch(id.value(), now);
        ids.forgetBefore(now - MEMORY_MS);
        ids.forgetBeyond(MEMORY_IDS);
    }

    void sweep(long now) {
        own.forgetBefore(now - MEMORY_MS);
        callers.forgetBefore(now - MEMORY_MS);
    }

    int size() {
        return own.size() + callers.size();
    }

    private RecentKeys of(ReservationId id) {
        return id.isCallers() ? callers : own;
    }
}
