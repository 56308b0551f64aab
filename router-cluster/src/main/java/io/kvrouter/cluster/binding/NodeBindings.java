package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.binding.table.ReplicatedTables;
import io.kvrouter.cluster.membership.OtherMembers;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.typed.Cluster;
import scala.jdk.javaapi.DurationConverters;

/** This node's part in the replicated memory of the bindings: replica, writer, sweep, and the reading at the join. */
public final class NodeBindings implements Bindings {
    private final BindingReplica replica = new BindingReplica();
    private final BindingCounts counts = new BindingCounts();
    private final CompletableFuture<Done> joined = new CompletableFuture<>();
    private final BindingSettings settings;
    private final InstantSource clock;
    private final long writerUid;
    private final ActorRef<BindingWriter.Command> writer;

    private NodeBindings(
            ActorSystem<?> system,
            BindingSettings settings,
            InstantSource clock,
            Supplier<OptionalLong> lowestMemberClock) {
        this.settings = settings;
        this.clock = clock;
        this.writerUid = Cluster.get(system).selfMember().uniqueAddress().longUid();
        var props = Props.empty();
        // A fixed name: replicators of different nodes find each other by their path.
        ActorRef<Replicator.Command> replicator =
                system.systemActorOf(Replicator.behavior(settings.replicator()), "kvrouter-binding-replicator", props);
        system.systemActorOf(BindingFeed.create(replicator, replica), "kvrouter-binding-feed", props);
        var tables = new ReplicatedTables(system, replicator);
        writer = system.systemActorOf(
                BindingWriter.create(new BindingWriter.Ways(tables, () -> peers(system)), settings, counts),
                "kvrouter-binding-writer",
                props);
        system.systemActorOf(BindingPeer.create(replica, joined::isDone), BindingPeer.NAME, props);
        system.systemActorOf(BindingJoin.create(replica, joined), "kvrouter-binding-join", props);
        system.systemActorOf(
                BindingSweep.create(tables, new BindingSweep.Memory(replica, counts), settings, lowestMemberClock),
                "kvrouter-binding-sweep",
                props);
        system.systemActorOf(
                BindingRepair.create(
                        replica,
                        tables,
                        DurationConverters.toJava(settings.replicator().gossipInterval())),
                "kvrouter-binding-repair",
                props);
    }

    /** Those that join too: they are sent everything from the moment on that they are known. */
    private static Map<Long, ActorRef<BindingPeer.Command>> peers(ActorSystem<?> system) {
        var refs = ActorRefResolver.get(system);
        return OtherMembers.of(Cluster.get(system))
                .collect(Collectors.toMap(
                        member -> member.uniqueAddress().longUid(),
                        member -> refs.resolveActorRef(member.address() + "/system/" + BindingPeer.NAME)));
    }

    /**
     * Starts it. Once per actor system, before or after it joins a cluster.
     *
     * @param clock this node's, monotonic
     * @param lowestMemberClock the lowest of the current members' clocks as last heard, in ms; nothing is swept while
     *     that is not known
     */
    public static NodeBindings start(
            ActorSystem<?> system,
            BindingSettings settings,
            InstantSource clock,
            Supplier<OptionalLong> lowestMemberClock) {
        return new NodeBindings(system, settings, clock, lowestMemberClock);
    }

    /** Completed when all tables were read, or when there was nobody to read them from. */
    public CompletionStage<Done> ready() {
        return joined.minimalCompletionStage();
    }

    public BindingReplica replica() {
        return replica;
    }

    public BindingCounts counts() {
        return counts;
    }

    public InstantSource clock() {
        return clock;
    }

    @Override
    public SessionState.Sight look(SessionKey key) {
        return new SessionState.Sight(
                clock.millis(),
                replica.row(key).orElse(null),
                writerUid,
                settings.skew().toMillis());
    }

    @Override
    public void publish(BindingRow row) {
        boolean refresh = replica.row(row.key())
                .filter(known -> known.version() >= row.version())
                .isPresent();
        replica.merge(row);
        writer.tell(new BindingWriter.Write(row, !refresh, System.nanoTime()));
    }

    @Override
    public void flush(SessionKey key, ActorRef<Done> replyTo) {
        writer.tell(new BindingWriter.Flush(key, replyTo));
    }
}
