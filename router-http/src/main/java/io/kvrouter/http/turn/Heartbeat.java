package io.kvrouter.http.turn;

import java.time.Duration;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;

/** Keeps a session alive while a turn of it runs: a word to its actor every quarter of its TTL. Guarded by its turn. */
final class Heartbeat {
    private static final int BEATS_PER_TTL = 4;

    private final ActorSystem<?> system;
    private Cancellable beats = Cancellable.alreadyCancelled();

    Heartbeat(ActorSystem<?> system) {
        this.system = system;
    }

    /** From now on this is run, in place of what was before. */
    void start(long ttlMs, Runnable beat) {
        stop();
        Duration interval = Duration.ofMillis(Math.max(1, ttlMs / BEATS_PER_TTL));
        beats = system.scheduler().scheduleWithFixedDelay(interval, interval, beat, system.executionContext());
    }

    void stop() {
        beats.cancel();
    }
}
