package io.kvrouter.cluster.load;

import io.kvrouter.booking.BookingDesk;
import io.kvrouter.cluster.load.lag.LagProbes;
import io.kvrouter.cluster.load.wire.LoadData;
import io.kvrouter.cluster.load.wire.LoadKey;
import io.kvrouter.cluster.load.wire.PeerMessage;
import io.kvrouter.cluster.load.wire.SliceCodec;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.worker.Fleet;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other nodes this node's slice and hears of theirs. What changes goes straight from load actor to load actor,
 * which is a message a node; the whole slice goes once a second into Distributed Data, which brings it to every node,
 * those that join included, and forgets it with this one. Either way the same rows are merged by their versions, so what
 * is lost on the one way comes by the other. State of the load actor.
 */
final class LoadReplication {
    private final ActorContext<LoadActor.Command> context;
    private final ActorRef<Replicator.Command> replicator;
    private final PeerLink link;
    private final Duration writeTimeout;
    private final UniqueAddress self;
    private final Peers peers;
    private final LagProbes probes = new LagProbes();
    private LoadCounters counters = LoadCounters.NONE;

    LoadReplication(
            ActorContext<LoadActor.Command> context, PeerLink.Ways links, BookingDesk desk, Duration writeTimeout) {
        this.context = context;
        this.replicator = links.replicator();
        this.link = links.peers();
        this.writeTimeout = writeTimeout;
        Cluster cluster = Cluster.get(context.getSystem());
        this.self = cluster.selfMember().uniqueAddress();
        this.peers = new Peers(self, desk);
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(ClusterEvent.MemberEvent.class, LoadActor.MemberSeen::new),
                        ClusterEvent.MemberEvent.class));
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(
                                ClusterEvent.ReachableMember.class, event -> LoadActor.PeerIsBack.INSTANCE),
                        ClusterEvent.ReachableMember.class));
        subscribeToSlices();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the class of a generic message; the keys are all of LoadData
    private void subscribeToSlices() {
        ActorRef adapter = context.messageAdapter(
                Replicator.Changed.class,
                changed -> new LoadActor.SlicesSeen((LoadKey) changed.key(), (LoadData) changed.dataValue()));
        LoadKey.ALL.forEach(key -> replicator.tell(new Replicator.Subscribe<>(key, adapter)));
    }

    /** This node, as the others know it. */
    long self() {
        return self.longUid();
    }

    /** Members, this node included. */
    int nodes() {
        return peers.members().size() + 1;
    }

    /**
     * Sends rows that changed to every node.
     *
     * @param oldest when the oldest change among them was made, in ns
     */
    void write(LoadSlice update, long oldest) {
        send(update, OptionalLong.of(oldest));
    }

    private void send(LoadSlice update, OptionalLong oldest) {
        byte[] bytes = SliceCodec.bytes(update);
        var probe = new LagProbes.Probe(oldest, update.head().bookings());
        var message = new PeerMessage.Update(self, bytes, probes.begin(probe, System.nanoTime()));
        peers.members().forEach(node -> link.tell(node, message));
        count(bytes);
    }

    /**
     * Sends the whole slice to every node, and replicates it. A write that is not acknowledged in time is counted; the
     * next one makes good for it.
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    void writeWhole(LoadSlice whole) {
        send(whole, OptionalLong.empty());
        count(SliceCodec.bytes(whole));
        context.ask(
                Replicator.UpdateResponse.class,
                replicator,
                writeTimeout.plusSeconds(1), // the replicator answers in time; this is for one that is gone
                (ActorRef<Replicator.UpdateResponse> replyTo) -> new Replicator.Update<LoadData>(
                        LoadKey.of(self),
                        LoadData.EMPTY,
                        new Replicator.WriteAll(writeTimeout),
                        (ActorRef) replyTo,
                        data -> data.write(self, whole)),
                (response, failure) -> written(response));
    }

    private static LoadActor.Command written(Replicator.@Nullable UpdateResponse<?> response) {
        return new LoadActor.Written(response instanceof Replicator.UpdateSuccess<?>);
    }

    private void count(byte[] bytes) {
        counters = counters.made((long) bytes.length * peers.members().size());
    }

    void count(LoadActor.Written written) {
        counters = written.inTime() ? counters : counters.timedOut();
    }

    void learn(PeerMessage message, long now) {
        switch (message) {
            case PeerMessage.Update(var from, var bytes, var probe) -> {
                counters = counters.received(peers.learn(from, SliceCodec.slice(bytes), now), bytes.length);
                if (probe != 0) {
                    link.tell(from, new PeerMessage.Applied(self, probe));
                }
            }
            case PeerMessage.Applied(var by, var probe) ->
                probes.probe(probe)
                        .ifPresent(asked -> peers.lag(by).ifPresent(lag -> lag.answered(asked, System.nanoTime())));
        }
    }

    void learn(LoadKey key, LoadData data, long now) {
        for (int newer = peers.learn(key, data, now); newer > 0; newer--) {
            counters = counters.received(true, 0);
        }
    }

    void learn(ClusterEvent.MemberEvent event) {
        peers.learn(event);
    }

    PublishedLoad published(Fleet fleet, LoadSlice own) {
        return new PublishedLoad(fleet, own, peers.current(), peers.lowestClock(), counters);
    }
}
