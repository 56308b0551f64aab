package io.kvrouter.cluster.caller;

import io.kvrouter.access.share.SharedCaps;
import io.kvrouter.access.share.SharedTokens;
import io.kvrouter.access.share.Spent;
import io.kvrouter.cluster.membership.OtherMembers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.typed.Cluster;

/**
 * Tells the other nodes what this one claims of its callers' caps and what tokens they used, and hears what they do. At
 * the same path on every node. {@link SharedCaps} and {@link SharedTokens} think.
 *
 * <p>All claims go in one message, when something has changed and once a second: it replaces what was told before, so
 * that a lost one heals with the next. Of the tokens it has what changed, and all of them once a second.
 */
public final class CallerClaims extends AbstractMatchingBehavior<CallerClaims.Command> {
    static final String NAME = "kvrouter-caller-claims";

    /** A fifth of the time that news may take. */
    private static final Duration INTERVAL = Duration.ofMillis(25);

    private static final long REPEAT_MS = 1_000;

    /** A message to the actor. */
    public sealed interface Command {}

    /** Time to look whether there is something to tell. */
    private enum Look implements Command {
        DUE
    }

    /**
     * What a node tells.
     *
     * @param claims all that it claims: caller -> requests
     * @param tokens what its callers used, of some of them or of all
     */
    public record Claims(long node, Map<String, Integer> claims, Map<String, Spent> tokens) implements Command {
        public Claims {
            claims = Map.copyOf(claims);
            tokens = Map.copyOf(tokens);
        }
    }

    /** What was told, to whom, and when all of it. */
    private record Told(Set<UniqueAddress> to, Map<String, Integer> claims, long at) {
        /** Whether somebody may miss something. */
        boolean lacks(Set<UniqueAddress> others, long time) {
            return !to.equals(others) || time - at >= REPEAT_MS;
        }
    }

    private final SharedCaps caps;
    private final SharedTokens tokens;
    private final InstantSource clock;
    private final Cluster cluster;
    private Told told = new Told(Set.of(), Map.of(), 0);

    private CallerClaims(ActorContext<Command> context, SharedCaps caps, SharedTokens tokens, InstantSource clock) {
        super(context);
        this.caps = caps;
        this.tokens = tokens;
        this.clock = clock;
        this.cluster = Cluster.get(context.getSystem());
    }

    /** Starts this node's part, once per actor system; what it hears goes into the caps and the tokens. */
    public static void start(ActorSystem<?> system, SharedCaps caps, SharedTokens tokens, InstantSource clock) {
        system.systemActorOf(create(caps, tokens, clock), NAME, Props.empty());
    }

    private static Behavior<Command> create(SharedCaps caps, SharedTokens tokens, InstantSource clock) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(Look.DUE, INTERVAL);
            return new CallerClaims(context, caps, tokens, clock);
        }));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Look due -> look();
            case Claims(var node, var claims, var spent) -> {
                caps.told(node, claims);
                tokens.told(node, spent, clock.millis());
            }
        }
        return this;
    }

    private void look() {
        Set<UniqueAddress> others =
                OtherMembers.of(cluster).map(Member::uniqueAddress).collect(Collectors.toSet());
        caps.members(others.stream().map(UniqueAddress::longUid).collect(Collectors.toSet()));
        long now = clock.millis();
        boolean whole = told.lacks(others, now);
        Map<String, Integer> claims = caps.claims(now);
        Map<String, Spent> spent = tokens.news(whole, now);
        if (whole || !claims.equals(told.claims()) || !spent.isEmpty()) {
            told = new Told(others, claims, whole ? now : told.at());
            var message = new Claims(cluster.selfMember().uniqueAddress().longUid(), claims, spent);
            others.forEach(node -> peer(node).tell(message));
        }
    }

    private ActorRef<Command> peer(UniqueAddress node) {
        return ActorRefResolver.get(getContext().getSystem()).resolveActorRef(node.address() + "/system/" + NAME);
    }
}
