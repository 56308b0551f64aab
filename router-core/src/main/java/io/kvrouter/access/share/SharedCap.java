package io.kvrouter.access.share;

/**
 * This node's share of what one caller may have in flight in the whole cluster: what it has, and up to what it may go
 * without asking, its claim. The other nodes are told the claim and leave it free.
 *
 * <p>A claim grows by an equal share of the room that the claims of all nodes leave, as last heard, and not again for
 * {@link #INTERVAL_MS}. By then this growth is known to all, if news take half that time, so that room is given away
 * once: {@code nodes} claims never exceed the cap by more than {@code nodes - 1}, which is what rounding up gives so that
 * the last place can be had at all. It shrinks at any time.
 */
final class SharedCap {
    /** Twice the longest way of news. */
    static final long INTERVAL_MS = 250;

    private static final long NEVER = Long.MIN_VALUE / 2;

    private int inFlight;
    private int claim;
    private long grown = NEVER;
    private long asked = NEVER;

    /**
     * One more request; whether it may be.
     *
     * @param room what the cap leaves beside the claims of the other nodes
     * @param nodes of the cluster
     */
    boolean acquire(int room, int nodes, long now) {
        asked = now;
        if (inFlight >= claim && now - grown >= INTERVAL_MS) {
            claim = inFlight + share(room, nodes);
            grown = now;
        }
        if (inFlight >= claim) {
            return false;
        }
        inFlight++;
        return true;
    }

    /** Rounded up, or else several nodes would leave the last places to one another. */
    private int share(int room, int nodes) {
        int free = Math.max(0, room - inFlight);
        return (free + nodes - 1) / nodes;
    }

    void release() {
        inFlight--;
    }

    /** What the others leave free; less than before if it was not asked for lately, or if there is no room for it. */
    int claim(int room, int nodes, long now) {
        if (now - grown >= INTERVAL_MS) {
            int needed = now - asked < INTERVAL_MS ? share(room, nodes) : 0;
            claim = Math.min(claim, inFlight + needed);
        }
        return claim;
    }

    boolean idle() {
        return inFlight == 0 && claim == 0;
    }
}
