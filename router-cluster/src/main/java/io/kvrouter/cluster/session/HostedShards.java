package io.kvrouter.cluster.session;

import io.kvrouter.session.SessionKey;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Which shards live on this node. Sharding does not tell who answered, so each session actor that starts names its
 * parent, which is the shard; the knowledge ends with the parent. Any thread may ask.
 */
final class HostedShards {
    private record Hosted(int shard, ActorRef ref, boolean gone) {}

    private final AtomicReferenceArray<@Nullable ActorRef> shards = new AtomicReferenceArray<>(SessionKey.SHARDS);
    private final org.apache.pekko.actor.typed.ActorRef<Hosted> watch;

    private HostedShards(ActorSystem<?> system) {
        watch = system.systemActorOf(watching(), "kvrouter-session-hosted-shards", Props.empty());
    }

    /** Once per actor system. */
    static HostedShards watch(ActorSystem<?> system) {
        return new HostedShards(system);
    }

    boolean contains(int shard) {
        return shards.get(shard) != null;
    }

    /** A session actor of this shard starts here. */
    void add(int shard, ActorContext<?> context) {
        ActorRef ref = Adapter.toClassic(context).parent();
        if (!ref.equals(shards.get(shard))) {
            shards.set(shard, ref);
            watch.tell(new Hosted(shard, ref, false));
        }
    }

    private Behavior<Hosted> watching() {
        return Behaviors.setup(context -> Behaviors.receiveMessage(hosted -> {
            if (!hosted.gone()) {
                context.watchWith(Adapter.toTyped(hosted.ref()), new Hosted(hosted.shard(), hosted.ref(), true));
            } else if (hosted.ref().equals(shards.get(hosted.shard()))) {
                shards.set(hosted.shard(), null);
            }
            return Behaviors.same();
        }));
    }
}
