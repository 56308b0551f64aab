package io.kvrouter.cluster.session;

import io.kvrouter.cluster.binding.Bindings;
import io.kvrouter.cluster.hosted.HostedSessions;
import io.kvrouter.cluster.hosted.HostedSessions.End;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import io.kvrouter.session.SessionState.Applied;
import io.kvrouter.session.SessionState.Step;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnEnd;
import java.time.Duration;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;

/**
 * The authority on one session's binding, one in the whole cluster. {@link SessionState} thinks; this actor remembers
 * and answers, and passivates itself at the deadline: the idle time-out is nothing else.
 */
public final class SessionActor extends AbstractMatchingBehavior<SessionActor.Command> {
    /** How long a stop may wait for the other nodes to have this session's row: a hand-off waits for it. */
    static final Duration STOP_WITHIN = Duration.ofMillis(200);

    /** What this actor takes. */
    public sealed interface Command {}

    /** What it takes from anywhere in the cluster. */
    public sealed interface Request extends Command {}

    /** A turn goes where the session lives. */
    public record Follow(Turn turn, Known known, ActorRef<Answer> replyTo) implements Request {}

    /** A turn would bind the session, if it is unbound or still at the version that the turn saw. */
    public record Bind(Turn turn, Proposal proposal, ActorRef<Answer> replyTo) implements Request {}

    /** A turn still runs: sent every quarter of the idle time-out. */
    public record KeepTurn(Turn turn, Known known) implements Request {}

    /** A turn ended: sent once. */
    public record EndTurn(TurnEnd end) implements Request {}

    /** The operator ends the session. */
    public record Unbind(ActorRef<Answer> replyTo) implements Request {}

    /** A binding, or a removal, that was made elsewhere. */
    public record Apply(Known known, long ttlMs, ActorRef<Applied> replyTo) implements Request {}

    /** What it takes from its own node. */
    enum Own implements Command {
        /** The deadline may have been reached. */
        DEADLINE,
        /** The shard moves, or nothing is left to do: have the row remembered, then stop. */
        STOP,
        /** The row is remembered, or that took too long. */
        FLUSHED
    }

    /** Where an actor lives: its node's memory of bindings, the node's actors, its shard. */
    record Home(Bindings bindings, HostedSessions hosted, ActorRef<ClusterSharding.ShardCommand> shard) {}

    private final SessionKey key;
    private final Bindings bindings;
    private final Home home;
    private final HostedSessions.Seat seat;
    private SessionState state = SessionState.UNBOUND;
    /** To this actor itself, at most one. Pekko's timers would take 250 bytes a session more. */
    private Cancellable timer = Cancellable.alreadyCancelled();

    private SessionActor(ActorContext<Command> context, SessionKey key, Home home) {
        super(context);
        this.key = key;
        this.bindings = home.bindings();
        this.home = home;
        this.seat = home.hosted().enter(key);
    }

    static Behavior<Command> create(SessionKey key, Home home) {
        return Behaviors.setup(context -> new SessionActor(context, key, home));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        var sight = bindings.look(key);
        return switch (command) {
            case Follow(var turn, var known, var replyTo) -> answer(state.follow(key, turn, known, sight), replyTo);
            case Bind(var turn, var proposal, var replyTo) -> answer(state.bind(key, turn, proposal, sight), replyTo);
            case KeepTurn(var turn, var known) -> become(state.keep(key, turn, known, sight));
            case EndTurn(var end) -> become(counted(state.end(key, end, sight), end.last() ? End.FINAL : End.UNSERVED));
            case Unbind(var replyTo) -> onUnbind(counted(state.unbind(key, sight), End.UNBOUND), replyTo);
            case Apply(var known, var ttlMs, var replyTo) -> onApply(state.apply(key, known, ttlMs, sight), replyTo);
            case Own own ->
                switch (own) {
                    case DEADLINE -> onDeadline(counted(state.expire(key, sight), End.EXPIRED), sight.nowMs());
                    case STOP -> onStop();
                    case FLUSHED -> stopped();
                };
        };
    }

    /** A crash ends here too. */
    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            timer.cancel();
            home.hosted().leave(key, seat);
        }
        return this;
    }

    private Behavior<Command> stopped() {
        timer.cancel();
        return Behaviors.stopped(() -> home.hosted().leave(key, seat));
    }

    private void remember(SessionState changed) {
        state = changed;
        seat.show(changed);
    }

    /** Counts a binding that this step ends, not one that is known to have ended elsewhere. */
    private Step counted(Step step, End how) {
        var published = step.publish();
        if (state.bound() && published != null && published.removed()) {
            home.hosted().ended(how);
        }
        return step;
    }

    private Behavior<Command> answer(Step step, ActorRef<Answer> replyTo) {
        become(step);
        if (step.answer() != null) {
            replyTo.tell(step.answer());
        }
        return this;
    }

    /** Nothing is left to do for it: it need not wait for its deadline. */
    private Behavior<Command> onUnbind(Step step, ActorRef<Answer> replyTo) {
        answer(step, replyTo);
        home.shard().tell(new ClusterSharding.Passivate<>(getContext().getSelf()));
        return this;
    }

    private Behavior<Command> onApply(SessionState.Application application, ActorRef<Applied> replyTo) {
        become(application.step());
        replyTo.tell(application.applied());
        return this;
    }

    /** The timer is left alone while the deadline only moves away: a turn costs no timer, an early one looks again. */
    private Behavior<Command> become(Step step) {
        boolean earlier = step.state().deadlineMs() < state.deadlineMs();
        remember(step.state());
        if (step.publish() != null) {
            bindings.publish(step.publish());
        }
        if (earlier || timer.isCancelled()) {
            long wait = state.deadlineMs() - bindings.look(key).nowMs();
            later(Own.DEADLINE, Duration.ofMillis(Math.max(1, wait)));
        }
        return this;
    }

    private void later(Own own, Duration delay) {
        timer.cancel();
        timer = getContext().scheduleOnce(delay, getContext().getSelf(), own);
    }

    private Behavior<Command> onDeadline(Step step, long nowMs) {
        timer.cancel(); // another than the one that came, if this one had been replaced too late
        timer = Cancellable.alreadyCancelled();
        if (step.state().deadlineMs() > nowMs) {
            return become(step);
        }
        remember(step.state());
        if (step.publish() != null) {
            bindings.publish(step.publish());
        }
        home.shard().tell(new ClusterSharding.Passivate<>(getContext().getSelf()));
        return this;
    }

    private Behavior<Command> onStop() {
        bindings.flush(key, getContext().messageAdapter(Done.class, done -> Own.FLUSHED));
        later(Own.FLUSHED, STOP_WITHIN);
        return Behaviors.receiveMessage(command -> command == Own.FLUSHED ? stopped() : Behaviors.same());
    }
}
