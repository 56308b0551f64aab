package io.kvrouter.http.engine;

import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.HealthTrack;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import java.util.ArrayList;
import java.util.List;

/**
 * What this node knows of one registered worker.
 *
 * @param checks health checks so far; every few of them the facts are asked again
 */
record WatchedWorker(Registration registration, HealthTrack track, EngineFacts probed, long checks) {

    /** Also what notices an engine that was restarted between two health checks. */
    private static final int CHECKS_BETWEEN_FACTS = 5;

    static WatchedWorker of(Registration registration) {
        return new WatchedWorker(registration, HealthTrack.PENDING, EngineFacts.UNKNOWN, 0);
    }

    WatchedWorker with(Registration changed) {
        return changed.url().equals(registration.url())
                ? new WatchedWorker(changed, track, probed, checks)
                : WatchedWorker.of(changed);
    }

    WatchedWorker with(HealthTrack changed) {
        return new WatchedWorker(registration, changed, probed, checks + 1);
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
        return new WatchedWorker(registration, track, facts, checks);
    }

    boolean wantsFacts() {
        return track.health() != Worker.Health.UP || checks % CHECKS_BETWEEN_FACTS == 0;
    }

    Worker asWorker() {
        return new Worker(registration, probed, track.health(), warnings());
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        var facts = registration.stated().orElse(probed);
        if (track.health() == Worker.Health.UP && facts.models().isEmpty()) {
            warnings.add("The engine names no model at /v1/models and the registration none: it gets no requests.");
        }
        if (track.health() == Worker.Health.UP && facts.blockSize().isEmpty()) {
            warnings.add("The KV block size is not known; " + Worker.DEFAULT_BLOCK_SIZE + " tokens are assumed.");
        }
        return warnings;
    }
}
