package io.kvrouter.cluster.session;

import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where this node sent sessions whose actor was not heard in time, so that their next turns go there too. Bounded: past
 * the bound nothing new is remembered until something expires. Any thread.
 */
final class ProvisionalBindings {
    static final int BOUND = 100_000;

    private record Entry(Proposal proposal, long untilMs) {}

    private final Map<SessionKey, Entry> entries = new ConcurrentHashMap<>();

    /** Whether it is remembered now. */
    boolean remember(SessionKey key, Proposal proposal, long nowMs, long ttlMs) {
        if (entries.size() >= BOUND && entries.values().removeIf(entry -> entry.untilMs() <= nowMs)) {
            return remember(key, proposal, nowMs, ttlMs);
        }
        if (entries.size() >= BOUND) {
            return false;
        }
        entries.put(key, new Entry(proposal, nowMs + ttlMs));
        return true;
    }

    Optional<Proposal> find(SessionKey key, long nowMs) {
        var entry = entries.get(key);
        return entry == null || entry.untilMs() <= nowMs ? Optional.empty() : Optional.of(entry.proposal());
    }

    void forget(SessionKey key) {
        entries.remove(key);
    }
}
