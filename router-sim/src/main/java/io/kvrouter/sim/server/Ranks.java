package io.kvrouter.sim.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.sim.api.FaultOrder;
import io.kvrouter.sim.api.Json;
import io.kvrouter.sim.api.Refused;
import io.kvrouter.sim.engine.EngineStats;
import io.kvrouter.sim.engine.KvEvent;
import io.kvrouter.sim.kv.KvPublisher;
import io.kvrouter.sim.kv.KvRank;
import io.netty.channel.EventLoop;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The engines of one worker, one a data-parallel rank, and what they publish. Confined to the worker's loop. */
final class Ranks {
    private static final String HEADER = "x-data-parallel-rank";

    private final List<Rank> ranks = new ArrayList<>();

    /** One engine, and its stream of KV events if it has one. */
    record Rank(int number, LiveEngine engine, Optional<KvPublisher> publisher) {
        void restart() {
            engine.restart();
            publisher.ifPresent(KvPublisher::restart);
        }
    }

    /** @throws UncheckedIOException naming the port, if one for KV events is in use; then none is left open */
    Ranks(SimSettings settings, EventLoop loop, InstantSource clock, Neighbourhood neighbourhood) {
        try {
            for (int number = 0; number < settings.ranks(); number++) {
                Optional<KvPublisher> publisher = publisher(settings, number, neighbourhood);
                KvEvent.Listener cache =
                        (atMs, events) -> publisher.ifPresent(stream -> stream.publish(clock.millis() / 1e3, events));
                var engine = new LiveEngine(loop, settings.engine(), neighbourhood.nextSeed(), cache);
                ranks.add(new Rank(number, engine, publisher));
            }
        } catch (UncheckedIOException e) {
            close();
            throw e;
        }
    }

    /** The rank that a request's header names, else the least busy. */
    Rank choose(Function<String, @Nullable String> headers) {
        String named = headers.apply(HEADER);
        if (named == null) {
            return leastBusy();
        }
        for (Rank rank : ranks) {
            if (Integer.toString(rank.number()).equals(named.strip())) {
                return rank;
            }
        }
        throw Refused.badRequest(HEADER + ": no such rank (expected: 0 to " + (ranks.size() - 1) + ")");
    }

    int count() {
        return ranks.size();
    }

    EngineStats stats() {
        return ranks.stream()
                .map(rank -> rank.engine().stats())
                .reduce(EngineStats::plus)
                .orElseThrow();
    }

    EngineStats stats(int rank) {
        return ranks.get(rank).engine().stats();
    }

    /** Number of the last batch that a rank published; -1 = none. */
    CompletableFuture<Long> lastSequence(int rank) {
        return ranks.get(rank).publisher().orElseThrow().lastSequence();
    }

    void slowDown(double factor) {
        ranks.forEach(rank -> rank.engine().slowDown(factor));
    }

    /** Caches are empty and all sequences are gone; streams begin again. */
    void restart() {
        ranks.forEach(Rank::restart);
    }

    /** Lets something go wrong with the streams; done when the future is. */
    CompletableFuture<Void> order(FaultOrder.Streams order) {
        List<KvPublisher> meant = ranks.stream()
                .filter(rank -> order.rank().isEmpty() || order.rank().getAsInt() == rank.number())
                .flatMap(rank -> rank.publisher().stream())
                .toList();
        if (meant.isEmpty()) {
            throw Refused.badRequest("kv_events: no such stream (expected: a rank that publishes)");
        }
        return CompletableFuture.allOf(
                meant.stream().map(stream -> stream.order(order.faults())).toArray(CompletableFuture[]::new));
    }

    /** Where the streams are, as a registration says it; empty if there are none. */
    Optional<ObjectNode> endpoints() {
        List<KvPublisher> streams =
                ranks.stream().flatMap(rank -> rank.publisher().stream()).toList();
        if (streams.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode json = Json.object();
        ArrayNode endpoints = json.putArray("endpoints");
        streams.forEach(stream -> endpoints.add(stream.eventEndpoint()));
        ArrayNode replay = json.putArray("replay");
        streams.forEach(stream -> replay.add(stream.replayEndpoint()));
        return Optional.of(json);
    }

    /** All ports for KV events are closed when this returns. May be called from any thread. */
    void close() {
        ranks.forEach(rank -> rank.publisher().ifPresent(KvPublisher::close));
    }

    private Rank leastBusy() {
        Rank least = ranks.getFirst();
        for (Rank rank : ranks) {
            if (busy(rank) < busy(least)) {
                least = rank;
            }
        }
        return least;
    }

    private static int busy(Rank rank) {
        EngineStats stats = rank.engine().stats();
        return stats.running() + stats.waiting();
    }

    private static Optional<KvPublisher> publisher(SimSettings settings, int rank, Neighbourhood neighbourhood) {
        int blockSize = settings.engine().blockSize();
        return settings.kvEvents()
                .map(events -> new KvRank(events, rank, settings.ranks(), blockSize))
                .map(ports -> neighbourhood.wire().open(settings.host(), ports));
    }
}
