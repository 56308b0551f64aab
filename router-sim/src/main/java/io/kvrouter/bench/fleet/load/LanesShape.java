package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.workload.SessionTurn;

/**
 * How sessions are played.
 *
 * @param lanes sessions at a time
 * @param concurrency turns in flight at one ingress, at most; further ones wait for their place
 * @param tokenScale tokens of a session for which one that is sent stands
 * @param speedUp divides the time between turns
 * @param thinkCap longest time between turns in s, before it is divided
 * @param named whether turns carry their session's id
 * @param seed of the sessions and of the way through the nodes
 */
public record LanesShape(
        int lanes, int concurrency, int tokenScale, double speedUp, double thinkCap, boolean named, long seed) {
    public LanesShape {
        positive("lanes", lanes);
        positive("concurrency", concurrency);
        positive("speed-up", speedUp);
        positive("think-cap", thinkCap);
        if (tokenScale < 1 || SessionTurn.BLOCK_TOKENS % tokenScale != 0) {
            throw new IllegalArgumentException("token-scale: " + tokenScale + " (expected: 1, 2, 4, 8, 16, 32 or 64)");
        }
    }

    /** The same with so many turns in flight at an ingress. */
    public LanesShape withConcurrency(int turns) {
        return new LanesShape(lanes, turns, tokenScale, speedUp, thinkCap, named, seed);
    }

    public LanesShape withSeed(long newSeed) {
        return new LanesShape(lanes, concurrency, tokenScale, speedUp, thinkCap, named, newSeed);
    }

    /** From this many seconds of a session, those that pass here. */
    double pause(double thinkSeconds) {
        return Math.min(thinkSeconds, thinkCap) / speedUp;
    }

    double longestPause() {
        return thinkCap / speedUp;
    }

    private static void positive(String name, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }
}
