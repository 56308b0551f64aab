package io.kvrouter.cluster.load.lag;

/**
 * How far another node's clock is from this node's, by what it writes. News come late and never early, on a busy machine
 * by seconds, so the greatest difference of the last minutes is the nearest to the truth. One thread writes, any may
 * read.
 */
public final class ClockOffset {
    private static final long WINDOW_MS = 60_000;

    private long windowFrom;
    private long ofWindow = Long.MIN_VALUE;
    private long ofWindowBefore = Long.MIN_VALUE;
    private volatile long best;

    /**
     * News came.
     *
     * @param theirMs the other node's clock when it wrote them
     * @param ownMs this node's clock when they arrived
     */
    public void heard(long theirMs, long ownMs) {
        if (ownMs - windowFrom >= WINDOW_MS) {
            windowFrom = ownMs;
            ofWindowBefore = ofWindow;
            ofWindow = Long.MIN_VALUE;
        }
        ofWindow = Math.max(ofWindow, theirMs - ownMs);
        best = Math.max(ofWindow, ofWindowBefore);
    }

    /** Its clock less this node's, in ms, less the shortest way here; 0 if nothing was heard yet. */
    public long ms() {
        return best;
    }
}
