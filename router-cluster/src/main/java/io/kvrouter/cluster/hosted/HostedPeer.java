package io.kvrouter.cluster.hosted;

import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import java.time.InstantSource;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Tells other nodes what this one's session actors know. At the same path on every node. */
public final class HostedPeer extends AbstractMatchingBehavior<HostedPeer.Ask> {
    static final String NAME = "kvrouter-hosted-sessions";

    /** What of this session? */
    public record Ask(SessionKey key, ActorRef<Told> replyTo) {}

    /**
     * What its actor knows.
     *
     * @param here its actor is at the asked node, and has it bound; nothing else is known if not
     * @param contextTokens tokens of its last served turn; 0 when the actor does not know
     * @param idleMs since its last turn's last sign of life
     */
    public record Told(boolean here, long contextTokens, long idleMs) {
        static final Told NOT_HERE = new Told(false, 0, 0);
    }

    private final HostedSessions hosted;
    private final InstantSource clock;

    private HostedPeer(ActorContext<Ask> context, HostedSessions hosted, InstantSource clock) {
        super(context);
        this.hosted = hosted;
        this.clock = clock;
    }

    static Behavior<Ask> create(HostedSessions hosted, InstantSource clock) {
        return Behaviors.setup(context -> new HostedPeer(context, hosted, clock));
    }

    @Override
    public Behavior<Ask> onMessage(Ask ask) {
        ask.replyTo()
                .tell(hosted.state(ask.key())
                        .filter(SessionState::bound)
                        .map(this::told)
                        .orElse(Told.NOT_HERE));
        return this;
    }

    private Told told(SessionState state) {
        return new Told(true, state.contextTokens(), HostedSessions.idleMs(state, clock.millis()));
    }
}
