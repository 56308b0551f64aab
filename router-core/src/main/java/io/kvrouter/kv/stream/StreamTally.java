package io.kvrouter.kv.stream;

/** Counts what {@link SyncCounts} tells. */
final class StreamTally {
    private long gaps;
    private long clears;
    private long restarts;
    private long failedReplays;
    private long repeated;

    void gap() {
        gaps++;
    }

    void clear() {
        clears++;
    }

    void restart() {
        restarts++;
        clears++;
    }

    void failedReplay() {
        failedReplays++;
    }

    void repeat() {
        repeated++;
    }

    SyncCounts counts() {
        return new SyncCounts(gaps, clears, restarts, failedReplays, repeated);
    }
}
