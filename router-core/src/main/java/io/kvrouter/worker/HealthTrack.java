package io.kvrouter.worker;

import io.kvrouter.worker.Worker.Health;
import java.util.Optional;

/**
 * What a node remembers of a worker's health checks. Down after a number of failures in a row, or one refused connect;
 * up after one success; a worker that never answered stays pending.
 *
 * @param failures failed checks in a row
 * @param trouble what failed last, in words, once it is down, or has failed as often as takes one down that is up
 */
public record HealthTrack(Health health, int failures, Optional<String> trouble) {
    /** Not asked yet. */
    public static final HealthTrack PENDING = new HealthTrack(Health.PENDING, 0, Optional.empty());

    public HealthTrack afterSuccess() {
        return new HealthTrack(Health.UP, 0, Optional.empty());
    }

    /** A check failed: timed out, or was answered with an error. */
    public HealthTrack afterFailure(int downAfter, String why) {
        return failed(failures + 1 >= downAfter, downAfter, why);
    }

    /** A connect was refused, by a check or by a request: nobody is there. */
    public HealthTrack afterRefusal(int downAfter, String why) {
        return failed(true, downAfter, why);
    }

    private HealthTrack failed(boolean enough, int downAfter, String why) {
        Health after = health == Health.UP && enough ? Health.DOWN : health;
        boolean told = after == Health.DOWN || failures + 1 >= downAfter;
        return new HealthTrack(after, failures + 1, told ? Optional.of(why) : Optional.empty());
    }
}
