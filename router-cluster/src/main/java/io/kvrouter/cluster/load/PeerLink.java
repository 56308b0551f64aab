package io.kvrouter.cluster.load;

import io.kvrouter.cluster.load.wire.PeerMessage;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.ddata.typed.javadsl.DistributedData;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;

/** The way to other nodes' load actors. Messages may be lost. */
@FunctionalInterface
interface PeerLink {
    void tell(UniqueAddress node, PeerMessage message);

    /** All ways from a load actor to those of the other nodes. */
    record Ways(ActorRef<Replicator.Command> replicator, PeerLink peers) {}

    /** The ways that a node has, given the actor that the others write to. */
    static Ways ofNode(ActorContext<?> context, ActorRef<PeerMessage> door) {
        ActorSystem<?> system = context.getSystem();
        return new Ways(DistributedData.get(system).replicator(), toSamePath(system, door.path()));
    }

    /** To the actors that have the same path as this one in their own systems. */
    static PeerLink toSamePath(ActorSystem<?> system, ActorPath own) {
        ActorRefResolver resolver = ActorRefResolver.get(system);
        String path = own.toStringWithoutAddress();
        return (node, message) -> {
            ActorRef<PeerMessage> peer = resolver.resolveActorRef(node.address() + path);
            peer.tell(message);
        };
    }
}
