package io.kvrouter.cluster.hosted;

import io.kvrouter.session.SessionKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.pattern.Patterns;

/** Asks nodes what their session actors know, without making one. */
public final class HostedLookup {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final ActorSystem<?> system;

    private HostedLookup(ActorSystem<?> system) {
        this.system = system;
    }

    /** Starts to answer the other nodes too. Once per actor system. */
    public static HostedLookup start(ActorSystem<?> system, HostedSessions hosted, InstantSource clock) {
        system.systemActorOf(HostedPeer.create(hosted, clock), HostedPeer.NAME, Props.empty());
        return new HostedLookup(system);
    }

    /** What the session's actor at a node knows; empty if it is not bound there, or the node does not answer within 1 s. */
    public CompletionStage<Optional<HostedPeer.Told>> ask(Address node, SessionKey key) {
        var peer = Adapter.toClassic(system).actorSelection(node + "/system/" + HostedPeer.NAME);
        return Patterns.askWithReplyTo(peer, replyTo -> new HostedPeer.Ask(key, Adapter.toTyped(replyTo)), TIMEOUT)
                .handle((answer, failure) -> answer instanceof HostedPeer.Told told && told.here()
                        ? Optional.of(told)
                        : Optional.<HostedPeer.Told>empty());
    }
}
