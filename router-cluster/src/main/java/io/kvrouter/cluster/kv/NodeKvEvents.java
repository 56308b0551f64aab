package io.kvrouter.cluster.kv;

import io.kvrouter.cluster.kv.join.SnapshotPeer;
import io.kvrouter.cluster.kv.join.SnapshotReader;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.kv.fleet.KvFleetSettings;
import io.kvrouter.kv.fleet.KvIndexes;
import io.kvrouter.kv.fleet.Partition;
import io.kvrouter.kv.fleet.StreamParts;
import io.kvrouter.kv.fleet.WorkerKvStatus;
import io.kvrouter.worker.Fleet;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.cluster.typed.Cluster;

/** This node's knowledge of its workers' KV caches: their events, followed from start to termination. */
public final class NodeKvEvents {
    private static final int MOST_THREADS = 4;
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration JOINING = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final KvIndexes indexes;
    private final Consumer<Fleet> listener;

    private NodeKvEvents(KvIndexes indexes, Consumer<Fleet> listener) {
        this.indexes = indexes;
        this.listener = listener;
    }

    /**
     * Starts it; ends with the actor system.
     *
     * @param listener gets the workers after each change, one call at a time: each with the block size that its events
     *     have where its registration says none
     */
    public static NodeKvEvents start(
            ActorSystem<?> system, KvFleetSettings settings, RandomGenerator random, Consumer<Fleet> listener) {
        var sources =
                new KvEventSources(Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));
        var parts = new StreamParts(sources, new MsgpackEvents(), KvEventSources::clock, patience(system));
        var indexes = new KvIndexes(settings, parts, random::nextLong);
        system.systemActorOf(SnapshotPeer.create(indexes), SnapshotPeer.NAME, Props.empty());
        system.systemActorOf(
                SnapshotReader.create(indexes, KvEventSources::clock), "kvrouter-kv-reader", Props.empty());
        var events = new NodeKvEvents(indexes, listener);
        var ticks = system.scheduler().scheduleAtFixedRate(TICK, TICK, events::tick, system.executionContext());
        system.getWhenTerminated().thenRun(() -> {
            ticks.cancel();
            sources.close();
        });
        return events;
    }

    /** A node that has just started waits for the others' knowledge, where there are others. */
    private static LongSupplier patience(ActorSystem<?> system) {
        long joined = KvEventSources.clock() + JOINING.toMillis();
        return () -> KvEventSources.clock() < joined
                        && Cluster.get(system).state().members().size() > 1
                ? PATIENCE.toMillis()
                : 0;
    }

    /** The workers have changed. */
    public synchronized void fleet(Fleet changed) {
        listener.accept(indexes.fleet(changed));
    }

    private synchronized void tick() {
        indexes.tick().ifPresent(listener);
    }

    /** Which place's cache is where, now. */
    public CacheView view() {
        return indexes.view();
    }

    /** What is known of each worker that should publish events, ordered by id. */
    public List<WorkerKvStatus> status() {
        return indexes.status();
    }

    /** The index of each routing group and model. */
    public List<Partition> partitions() {
        return indexes.partitions();
    }
}
