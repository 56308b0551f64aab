package io.kvrouter.kv.stream;

/** When an engine was heard, and when it may be asked again: after each failed replay later. Times in ms. */
final class Patience {
    private static final int MOST_DOUBLINGS = 4;

    private final StreamSettings settings;
    private final long opened;

    private boolean heard;
    private long lastHeard;
    private int failures;
    private long retryAt;
    private long failedAt;

    Patience(StreamSettings settings, long now) {
        this.settings = settings;
        this.opened = now;
        this.lastHeard = now;
        this.retryAt = now;
    }

    void hear(long now) {
        heard = true;
        lastHeard = now;
    }

    void failed(long now) {
        failures++;
        failedAt = now;
        retryAt = now + (settings.answerTimeout() << Math.min(failures - 1, MOST_DOUBLINGS));
    }

    void succeeded() {
        failures = 0;
    }

    /** Whether the last replay failed. */
    boolean failing() {
        return failures > 0;
    }

    /** Whether to ask for batches that are missing: the engine lives, whatever it did a while ago. */
    boolean worthAsking(long now) {
        return !failing() || now - failedAt >= settings.answerTimeout();
    }

    boolean mayAsk(long now) {
        return now >= retryAt;
    }

    /** Nothing came for so long that a batch may have been missed. */
    boolean idle(long now) {
        return now - lastHeard >= settings.idleCheck();
    }

    /** Nothing ever came. */
    boolean silent(long now) {
        return !heard && now - opened >= settings.silence();
    }
}
