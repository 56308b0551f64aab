package io.kvrouter.http.engine;

import io.kvrouter.failover.Breaker;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.HealthTrack;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What this node knows of one registered worker.
 *
 * @param checks health checks so far; every few of them the facts are asked again
 * @param breaker what requests found out of it since it was last down
 * @param resting it has asked to be left alone for a while
 */
record WatchedWorker(
        Registration registration,
        HealthTrack track,
        EngineFacts probed,
        long checks,
        Breaker breaker,
        boolean resting) {

    /** Also what notices an engine that was restarted between two health checks. */
    private static final int CHECKS_BETWEEN_FACTS = 5;

    static WatchedWorker of(Registration registration) {
        return new WatchedWorker(registration, HealthTrack.PENDING, EngineFacts.UNKNOWN, 0, Breaker.CLOSED, false);
    }

    WatchedWorker with(Registration changed) {
        return changed.url().equals(registration.url())
                ? new WatchedWorker(changed, track, probed, checks, breaker, resting)
                : WatchedWorker.of(changed);
    }

    /** One that was down says nothing of how its requests went before, and starts slowly when it is back. */
    WatchedWorker with(HealthTrack changed) {
        boolean back = track.health() == Worker.Health.DOWN && changed.health() == Worker.Health.UP;
        boolean down = changed.health() == Worker.Health.DOWN;
        Breaker after = back ? Breaker.returned() : down ? Breaker.CLOSED : breaker;
        return new WatchedWorker(registration, changed, probed, checks + 1, after, resting && !down);
    }

    WatchedWorker with(Breaker changed) {
        return new WatchedWorker(registration, track, probed, checks, changed, resting);
    }

    WatchedWorker rest(boolean changed) {
        return new WatchedWorker(registration, track, probed, checks, breaker, changed);
    }

    WatchedWorker with(EngineFacts answered) {
        var merged = answered.orElse(probed);
        var adapters =
                answered.models().isEmpty() ? merged.adapters() : answered.adapters(); // the last may be unloaded
        var facts = new EngineFacts(
                merged.models(),
                adapters,
                merged.blockSize(),
                merged.kvBlocks(),
                merged.ranks(),
                merged.incarnation(),
                merged.kvEvents());
        boolean restarted =
                probed.incarnation().isPresent() && !facts.incarnation().equals(probed.incarnation());
        return new WatchedWorker(
                registration, track, facts, checks, restarted ? Breaker.returned() : breaker, resting && !restarted);
    }

    boolean neverChecked() {
        return checks == 0;
    }

    boolean wantsFacts() {
        return !lives() || checks % CHECKS_BETWEEN_FACTS == 0;
    }

    Worker asWorker() {
        return new Worker(registration, probed, health(), warnings(), resting ? 0 : breaker.allowance());
    }

    /** The models that it serves. */
    Set<String> models() {
        return registration.stated().orElse(probed).models();
    }

    /** Answers its health checks. */
    boolean lives() {
        return track.health() == Worker.Health.UP;
    }

    boolean broken() {
        return lives() && breaker.state() == Breaker.State.OPEN;
    }

    private Worker.Health health() {
        if (!lives()) {
            return track.health();
        }
        return switch (breaker.state()) {
            case OPEN -> Worker.Health.BROKEN;
            case TRIAL -> Worker.Health.TRIAL;
            case CLOSED, STARTING -> Worker.Health.UP;
        };
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        track.trouble().ifPresent(why -> warnings.add("It gets no requests: " + why + "."));
        var facts = registration.stated().orElse(probed);
        if (lives() && models().isEmpty()) {
            warnings.add("The engine names no model at /v1/models and the registration none: it gets no requests.");
        }
        if (broken()) {
            warnings.add(
                    "Too many of its answers failed, though it answers its health checks: it gets no requests now.");
        }
        if (lives() && facts.blockSize().isEmpty()) {
            warnings.add("The KV block size is not known; " + Worker.DEFAULT_BLOCK_SIZE + " tokens are assumed.");
        }
        return warnings;
    }
}
