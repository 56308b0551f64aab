package io.kvrouter.http.node;

import io.kvrouter.cluster.hosted.HostedSessions;
import io.kvrouter.cluster.load.Footprint;
import io.kvrouter.load.ResidentTokens;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * The footprint of the sessions whose actors are here, added up once a second beside the load actor: with very many of
 * them that takes milliseconds.
 */
final class SessionFootprint implements Footprint {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final AtomicReference<List<ResidentTokens>> latest = new AtomicReference<>(List.of());

    /** Adds up the sessions from now on. */
    void follow(ActorSystem<?> system, HostedSessions sessions, InstantSource clock) {
        var unused = system.scheduler()
                .scheduleWithFixedDelay(
                        INTERVAL,
                        INTERVAL,
                        () -> latest.set(resident(sessions.footprint(clock.millis()))),
                        system.executionContext());
    }

    private static List<ResidentTokens> resident(Map<WorkerId, Map<Integer, Long>> tokens) {
        List<ResidentTokens> resident = new ArrayList<>();
        tokens.forEach(
                (worker, ranks) -> ranks.forEach((rank, sum) -> resident.add(new ResidentTokens(worker, rank, sum))));
        return List.copyOf(resident);
    }

    @Override
    public Collection<ResidentTokens> footprint() {
        return latest.get();
    }
}
