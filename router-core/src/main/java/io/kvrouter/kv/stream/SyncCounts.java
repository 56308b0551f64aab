package io.kvrouter.kv.stream;

/**
 * How often a rank's stream had to find its place again since it was opened.
 *
 * @param gaps batches were missing and asked for again
 * @param clears the rank's blocks were dropped, because batches were lost or the engine was restarted
 * @param restarts the engine counted from 0 again
 * @param failedReplays the engine did not answer in time
 * @param repeated batches that had been applied before
 */
public record SyncCounts(long gaps, long clears, long restarts, long failedReplays, long repeated) {
    /** Of a stream that was just opened. */
    public static final SyncCounts NONE = new SyncCounts(0, 0, 0, 0, 0);
}
