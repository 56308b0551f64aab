package io.kvrouter.http.prompt;

import io.kvrouter.worker.Demand;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which engine is asked for a prompt's tokens: any that could take the request. Only where that pays: without KV events
 * tokens match nothing that text would not. One that has no such endpoint is asked again when the fleet has changed.
 */
public final class TokenizingEngines implements TokenPrompts.Engines {
    private static final int REMEMBERED = 1_024;

    private final Supplier<Fleet> fleet;
    private final Predicate<Worker> publishes;
    private volatile Known known = new Known(Fleet.EMPTY);

    /** What holds for one fleet. */
    private static final class Known {
        final Fleet fleet;
        final Map<Demand, List<URI>> engines = new ConcurrentHashMap<>();
        final Set<URI> without = ConcurrentHashMap.newKeySet();

        Known(Fleet fleet) {
            this.fleet = fleet;
        }
    }

    /** @param publishes whether a worker publishes KV events */
    public TokenizingEngines(Supplier<Fleet> fleet, Predicate<Worker> publishes) {
        this.fleet = fleet;
        this.publishes = publishes;
    }

    @Override
    public Optional<URI> of(Demand demand) {
        Known now = known();
        var anyWorker = new Demand(demand.group(), demand.model(), Set.of());
        List<URI> engines = now.engines.get(anyWorker);
        if (engines == null) {
            engines = now.fleet.eligible(anyWorker).stream()
                    .filter(publishes)
                    .map(worker -> worker.registration().url())
                    .toList();
            if (now.engines.size() < REMEMBERED) {
                now.engines.put(anyWorker, engines);
            }
        }
        return engines.isEmpty()
                ? Optional.empty()
                : Optional.of(engines.get(ThreadLocalRandom.current().nextInt(engines.size())))
                        .filter(engine -> !now.without.contains(engine));
    }

    @Override
    public void without(URI engine) {
        known().without.add(engine);
    }

    private Known known() {
        Fleet now = fleet.get();
        Known before = known;
        if (before.fleet != now) {
            before = new Known(now);
            known = before;
        }
        return before;
    }
}
