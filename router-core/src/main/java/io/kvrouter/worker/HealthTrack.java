package io.kvrouter.worker;

import io.kvrouter.worker.Worker.Health;

/**
 * What a node remembers of a worker's health checks. Down after a number of failures in a row, or one refused connect;
 * up after one success; a worker that never answered stays pending.
 *
 * @param failures failed checks in a row
 */
public record HealthTrack(Health health, int failures) {
    /** Not asked yet. */
    public static final HealthTrack PENDING = new HealthTrack(Health.PENDING, 0);

    public HealthTrack afterSuccess() {
        return new HealthTrack(Health.UP, 0);
    }

    /** A check failed: timed out, or was answered with an error. */
    public HealthTrack afterFailure(int downAfter) {
        int now = failures + 1;
        return new HealthTrack(health == Health.UP && now >= downAfter ? Health.DOWN : health, now);
    }

    /** A connect was refused, by a check or by a request: nobody is there. */
    public HealthTrack afterRefusal() {
        return new HealthTrack(health == Health.UP ? Health.DOWN : health, failures + 1);
    }
}
