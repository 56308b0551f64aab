package io.kvrouter.kv.fleet;

import io.kvrouter.worker.KvEventEndpoints;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the events of one rank are had.
 *
 * @param endpoint where it publishes, {@code tcp://host:port}
 * @param replay where earlier batches are asked for; empty = they can't be had
 */
public record RankSource(WorkerId worker, int rank, String endpoint, Optional<String> replay) {

    /** The sources of a worker's ranks, in their order; fewer than ranks where the registration names fewer. */
    public static List<RankSource> of(Worker worker, KvFleetSettings settings) {
        KvEventEndpoints stated = stated(worker, settings);
        if (!stated.published()) {
            return List.of();
        }
        return stated.endpoints().isEmpty() ? derived(worker, settings) : named(worker, stated);
    }

    /** Whether a worker publishes KV events. */
    public static boolean published(Worker worker, KvFleetSettings settings) {
        return stated(worker, settings).published();
    }

    private static KvEventEndpoints stated(Worker worker, KvFleetSettings settings) {
        return worker.facts().kvEvents().orElse(settings.published() ? KvEventEndpoints.DERIVED : KvEventEndpoints.OFF);
    }

    private static List<RankSource> named(Worker worker, KvEventEndpoints stated) {
        List<RankSource> sources = new ArrayList<>();
        for (int rank = 0; rank < Math.min(worker.ranks(), stated.endpoints().size()); rank++) {
            var replay = stated.replay().isEmpty()
                    ? Optional.<String>empty()
                    : Optional.of(stated.replay().get(rank));
            sources.add(new RankSource(worker.id(), rank, stated.endpoints().get(rank), replay));
        }
        return sources;
    }

    /** Each rank's publisher adds its rank to both ports, so that the replay ports must be as far apart as there are ranks. */
    private static List<RankSource> derived(Worker worker, KvFleetSettings settings) {
        String host = "tcp://" + worker.registration().url().getHost() + ":";
        int ranks = worker.ranks();
        List<RankSource> sources = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            int port = settings.port() + rank;
            sources.add(new RankSource(worker.id(), rank, host + port, Optional.of(host + (port + ranks))));
        }
        return sources;
    }
}
