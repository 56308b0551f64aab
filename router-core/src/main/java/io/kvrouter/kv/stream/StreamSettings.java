package io.kvrouter.kv.stream;

/**
 * How patient a rank's stream is. Times in milliseconds.
 *
 * @param answerTimeout how long a replay may be silent before it counts as failed
 * @param idleCheck after how much silence the engine is asked whether a batch was missed
 * @param silence after how long without a sign of the engine the operator is told
 * @param pendingBytes what may wait for the end of a replay
 */
public record StreamSettings(long answerTimeout, long idleCheck, long silence, long pendingBytes) {
    public static final StreamSettings DEFAULT = new StreamSettings(5_000, 10_000, 30_000, 4L << 20);

    public StreamSettings {
        if (answerTimeout <= 0 || idleCheck <= 0 || silence <= 0 || pendingBytes <= 0) {
            throw new IllegalArgumentException("stream settings: " + answerTimeout + ", " + idleCheck + ", " + silence
                    + ", " + pendingBytes + " (expected: all > 0)");
        }
    }
}
