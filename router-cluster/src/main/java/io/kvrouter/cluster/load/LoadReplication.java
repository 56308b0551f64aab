package io.kvrouter.cluster.load;

import io.kvrouter.load.LoadSlice;
import io.kvrouter.worker.Fleet;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other nodes this node's slice and hears of theirs. Each update goes to every node directly; one that is not
 * acknowledged in time is counted and not repeated, the next whole slice makes good for it. State of the load actor.
 */
final class LoadReplication {
    private final ActorContext<LoadActor.Command> context;
    private final ActorRef<Replicator.Command> replicator;
    private final Duration writeTimeout;
    private final UniqueAddress self;
    private final Peers peers;
    private LoadCounters counters = LoadCounters.NONE;

    LoadReplication(
            ActorContext<LoadActor.Command> context, ActorRef<Replicator.Command> replicator, Duration writeTimeout) {
        this.context = context;
        this.replicator = replicator;
        this.writeTimeout = writeTimeout;
        Cluster cluster = Cluster.get(context.getSystem());
        this.self = cluster.selfMember().uniqueAddress();
        this.peers = new Peers(self);
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(ClusterEvent.MemberEvent.class, LoadActor.MemberSeen::new),
                        ClusterEvent.MemberEvent.class));
        subscribeToSlices();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the class of a generic message; the keys are all of LoadData
    private void subscribeToSlices() {
        ActorRef adapter = context.messageAdapter(
                Replicator.Changed.class,
                changed -> new LoadActor.SlicesSeen((LoadKey) changed.key(), (LoadData) changed.dataValue()));
        LoadKey.ALL.forEach(key -> replicator.tell(new Replicator.Subscribe<>(key, adapter)));
    }

    /** Sends an update of the own slice to every node. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    void write(LoadSlice update) {
        counters = counters.made();
        long start = System.nanoTime();
        context.ask(
                Replicator.UpdateResponse.class,
                replicator,
                writeTimeout.plusSeconds(1), // the replicator answers in time; this is for one that is gone
                (ActorRef<Replicator.UpdateResponse> replyTo) -> new Replicator.Update<LoadData>(
                        LoadKey.of(self),
                        LoadData.EMPTY,
                        new Replicator.WriteAll(writeTimeout),
                        (ActorRef) replyTo,
                        data -> data.write(self, update)),
                (response, failure) -> written(response, start));
    }

    private static LoadActor.Command written(Replicator.@Nullable UpdateResponse<?> response, long start) {
        return new LoadActor.Written(response instanceof Replicator.UpdateSuccess<?>, System.nanoTime() - start);
    }

    void count(LoadActor.Written written) {
        counters = written.inTime() ? counters.done(written.nanos()) : counters.timedOut();
    }

    void learn(LoadKey key, LoadData data, long now) {
        counters = counters.received(peers.learn(key, data, now));
    }

    void learn(ClusterEvent.MemberEvent event) {
        peers.learn(event);
    }

    /** The last known slices of the other current members. */
    List<LoadSlice> peerSlices() {
        return peers.current().stream().map(PeerSlice::slice).toList();
    }

    PublishedLoad published(Fleet fleet, LoadSlice own) {
        return new PublishedLoad(fleet, own, peers.current(), peers.lowestClock(), counters);
    }
}
