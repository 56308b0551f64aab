package io.kvrouter.failover;

/**
 * What a node may spend on trying again: so many retries, and a share of the requests, over the last ten seconds. Where
 * all workers push back, retries would else multiply the load that they push back. Times are in ms. Not safe for use by
 * several threads.
 */
public final class RetryBudget {
    private final double share;
    private final int reserve;
    private final RecentCounts counts = new RecentCounts();

    /**
     * A budget of which nothing is spent.
     *
     * @param share retries for each request
     * @param reserve retries besides, so that a quiet node may try again too
     */
    public RetryBudget(double share, int reserve) {
        if (!(share >= 0) || reserve < 0) {
            throw new IllegalArgumentException("retry budget: " + share + ", " + reserve + " (expected: >= 0)");
        }
        this.share = share;
        this.reserve = reserve;
    }

    /** A request has come in. */
    public void earn(long now) {
        counts.add(1, 0, now);
    }

    /** Whether another retry is within the budget. */
    public boolean left(long now) {
        return counts.marked(now) < reserve + share * counts.all(now);
    }

    /** A request is tried again. */
    public void spend(long now) {
        counts.add(0, 1, now);
    }
}
