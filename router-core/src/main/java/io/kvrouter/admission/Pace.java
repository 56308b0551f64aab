package io.kvrouter.admission;

/**
 * How long requests hold their permit, as a mean that follows the last ones. With it goes the rate at which permits come
 * free, whether there is a crowd now or not: those inside, by the time that each stays.
 */
final class Pace {
    private static final double SHARE_OF_NEWEST = 1.0 / 16;
    private static final int LONGEST_S = 60;
    private static final double MS = 1_000;

    private double meanMs = -1;

    /** A request has held its permit for so long. */
    void held(long ms) {
        meanMs = meanMs < 0 ? ms : meanMs + (ms - meanMs) * SHARE_OF_NEWEST;
    }

    /** Permits that come free in a second while so many requests are inside; 0 if none has ended so far. */
    double perSecond(int inside) {
        return meanMs < 0 ? 0 : inside * MS / Math.max(1, meanMs);
    }

    /** In how many seconds there is room for one more behind so many that wait: 1 to 60. */
    int secondsUntilRoom(int waiting, int inside) {
        double rate = perSecond(Math.max(1, inside));
        return rate == 0 ? 1 : (int) Math.clamp(Math.ceil((waiting + 1) / rate), 1, LONGEST_S);
    }
}
