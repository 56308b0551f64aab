package io.kvrouter.access.share;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How much of each caller's cap this node may use, by what the other nodes claim. Every node decides by itself and at
 * once: no request waits for another node. Safe for use by several threads; each call takes nanoseconds.
 *
 * <p>The bound: as long as news of claims take at most 125 ms, all nodes together have at most {@code cap + nodes - 1}
 * requests of a caller in flight. Up to there, a caller that comes through one node only has {@code cap / nodes} places
 * at once, and all but the last few of the others within a second. What a node claims counts until it is no member any
 * more, however long it is silent.
 */
public final class SharedCaps {
    private final Map<String, SharedCap> own = new HashMap<>();
    private final Map<String, Integer> caps = new HashMap<>();
    private final Map<Long, Map<String, Integer>> others = new HashMap<>();
    private int nodes = 1;

    /**
     * One more request of a caller; whether it may be. If so, {@link #release} it once.
     *
     * @param cap of the whole cluster
     * @param now ms that only grow
     */
    public synchronized boolean acquire(String caller, int cap, long now) {
        caps.put(caller, cap);
        return own.computeIfAbsent(caller, any -> new SharedCap()).acquire(room(caller), nodes, now);
    }

    private int room(String caller) {
        int claimed = others.values().stream()
                .mapToInt(claims -> claims.getOrDefault(caller, 0))
                .sum();
        return caps.getOrDefault(caller, 0) - claimed;
    }

    /** A request of the caller is over. */
    public synchronized void release(String caller) {
        SharedCap share = own.get(caller);
        if (share == null) {
            throw new IllegalStateException("a request is over that was not there");
        }
        share.release();
    }

    /** What this node claims, for all others to hear: often, and whole each time. */
    public synchronized Map<String, Integer> claims(long now) {
        Map<String, Integer> claims = new TreeMap<>();
        own.forEach((caller, share) -> claims.put(caller, share.claim(room(caller), nodes, now)));
        own.values().removeIf(SharedCap::idle);
        caps.keySet().retainAll(own.keySet());
        claims.values().removeIf(claim -> claim == 0);
        return claims;
    }

    /** Another member has said what it claims; in the order in which it said so. */
    public synchronized void told(long node, Map<String, Integer> claims) {
        others.put(node, Map.copyOf(claims));
    }

    /** From now on these are the other members. */
    public synchronized void members(Set<Long> now) {
        others.keySet().retainAll(now);
        nodes = now.size() + 1;
    }
}
