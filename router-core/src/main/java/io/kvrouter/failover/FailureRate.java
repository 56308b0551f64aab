package io.kvrouter.failover;

/** How many of a worker's calls failed in the last ten seconds. Times are in ms. Not safe for use by several threads. */
public final class FailureRate {
    private final BreakerSettings settings;
    private RecentCounts counts = new RecentCounts();

    public FailureRate(BreakerSettings settings) {
        this.settings = settings;
    }

    /** Counts a call; whether the breaker has to open for it. Then counting begins anew. */
    public boolean trips(Outcome outcome, long now) {
        switch (outcome) {
            case ANSWERED -> counts.add(1, 0, now);
            case FAILED -> counts.add(1, 1, now);
            case BROKE_OFF -> counts.add(0, 1, now); // its begin was counted
            case NEUTRAL -> {}
        }
        long failed = counts.marked(now);
        boolean tripped = settings.enabled()
                && (outcome == Outcome.FAILED || outcome == Outcome.BROKE_OFF)
                && failed >= settings.failures()
                && failed >= settings.share() * counts.all(now);
        if (tripped) {
            counts = new RecentCounts();
        }
        return tripped;
    }
}
