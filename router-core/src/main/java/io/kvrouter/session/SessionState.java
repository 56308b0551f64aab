package io.kvrouter.session;

import io.kvrouter.session.Answer.How;
import io.kvrouter.worker.WorkerId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a session's actor remembers, and the rules by which it changes. Every transition first takes over what is newer
 * than itself, from this node's replica and then from the sender, acts, and leaves to be published what the replica
 * lacks. So nothing depends on a message or a write having arrived: the next one heals.
 *
 * <p>Knows nothing of worker health: the ingress judges who is eligible, and asks for a rebind.
 *
 * @param current the binding and its version; without worker when unbound
 * @param ttlMs idle time-out as the last turn gave it
 * @param deadlineMs when bound: when it expires; else when the actor has nothing left to wait for
 * @param rowDeadlineMs the greatest deadline seen in any row of this session: a newer version never has an earlier one
 * @param contextTokens tokens of the last served turn
 * @param maker the turn that made this version; none where the actor learnt the version from elsewhere
 */
public record SessionState(
        Known current,
        long ttlMs,
        long deadlineMs,
        long rowDeadlineMs,
        long contextTokens,
        @Nullable Maker maker) {
    /** How long an unbound session's actor waits for another turn, in ms. */
    public static final long LINGER_MS = 10_000;

    /** A session that nothing is known of. */
    public static final SessionState UNBOUND = new SessionState(Known.NOTHING, 0, 0, 0, 0, null);

    /** The turn that made a version, how, and whether another has used it since. */
    public record Maker(TurnId turn, How how, boolean shared) {}

    /**
     * What a node sees of one session at one moment.
     *
     * @param row what its replica has, own unflushed writes included
     * @param writer uid of the node
     * @param skewMs how far two nodes' clocks may be apart
     */
    public record Sight(long nowMs, @Nullable BindingRow row, long writer, long skewMs) {}

    /**
     * A transition's outcome.
     *
     * @param answer none where nobody waits for one
     * @param publish the row that the replica lacks; none where it is up to date
     */
    public record Step(
            SessionState state,
            @Nullable Answer answer,
            @Nullable BindingRow publish) {}

    /**
     * What a session's actor did with a binding that was made elsewhere.
     *
     * @param now what it knows from now on
     */
    public record Applied(Outcome how, Known now) {
        /** What became of it. */
        public enum Outcome {
            /** Nothing was known of the session. */
            TAKEN,
            /** It is what was known, at the same version or a newer one: the session lives on. */
            REFRESHED,
            /** It is newer than what was known. */
            REPLACED,
            /** It is not newer. */
            IGNORED
        }
    }

    /** What became of a binding that was applied, and what follows from it. */
    public record Application(Step step, Applied applied) {}

    public boolean bound() {
        return current.worker() != null;
    }

    public long version() {
        return current.version();
    }

    /** A turn wants to go where the session lives. */
    public Step follow(SessionKey key, Turn turn, Known known, Sight sight) {
        var healed = heal(turn.ttlMs(), known, sight);
        return healed.touch(turn, sight).settle(key, sight, How.FOLLOWED);
    }

    /** A turn found no usable binding, or wants the one that it saw replaced: compare and set on the version. */
    public Step bind(SessionKey key, Turn turn, Proposal proposal, Sight sight) {
        var healed = heal(turn.ttlMs(), proposal.known(), sight);
        boolean free = !healed.bound() || healed.version() == proposal.seen();
        var after = free ? healed.adopt(turn, proposal, sight) : healed.touch(turn, sight);
        return after.settle(key, sight, after.how(turn));
    }

    /** A turn still runs. One of an older version changes nothing. */
    public Step keep(SessionKey key, Turn turn, Known known, Sight sight) {
        var healed = heal(turn.ttlMs(), known, sight);
        var kept = healed.concerns(turn, known) ? healed.touch(turn, sight) : healed;
        return kept.settle(key, sight, null);
    }

    /** A turn ended. One of an older version changes nothing, save what the turn made itself. */
    public Step end(SessionKey key, TurnEnd end, Sight sight) {
        var turn = end.turn();
        var healed = heal(turn.ttlMs(), end.known(), sight);
        boolean concerned = healed.concerns(turn, end.known());
        boolean own = healed.bound() && healed.madeBy(turn);
        if ((end.last() && (concerned || own))
                || (!end.served()
                        && own
                        && !Objects.requireNonNull(healed.maker).shared())) {
            return healed.remove(key, sight, null);
        }
        var ended = concerned ? healed.touch(turn, sight).remember(end) : healed;
        return ended.settle(key, sight, null);
    }

    /** The operator ends the session. */
    public Step unbind(SessionKey key, Sight sight) {
        var healed = learn(ttlMs, sight);
        return healed.bound() ? healed.remove(key, sight, How.FOLLOWED) : healed.settle(key, sight, How.FOLLOWED);
    }

    /**
     * A binding, or a removal, that was made elsewhere, judged by its version. It is a sign of life where it says what is
     * known, and else counts only if it is newer.
     */
    public Application apply(SessionKey key, Known known, long ttl, Sight sight) {
        var learnt = learn(ttl, sight);
        var how = learnt.judge(known);
        var applied = switch (how) {
            case IGNORED -> learnt;
            case REFRESHED -> learnt.renew(known, sight.nowMs() + ttl);
            case TAKEN, REPLACED -> learnt.take(known, sight.nowMs() + ttl);
        };
        boolean removal = how != Applied.Outcome.IGNORED && !applied.bound();
        var step = removal
                ? applied.until(sight.nowMs() + LINGER_MS).publish(key, sight, null)
                : applied.settle(key, sight, null);
        return new Application(step, new Applied(how, applied.current));
    }

    private Applied.Outcome judge(Known known) {
        if (known.version() > Version.NONE && version() == Version.NONE) {
            return Applied.Outcome.TAKEN;
        }
        if (bound() && known.samePlace(current) && known.version() >= version()) {
            return Applied.Outcome.REFRESHED;
        }
        return known.version() > version() ? Applied.Outcome.REPLACED : Applied.Outcome.IGNORED;
    }

    /** The same place, at this version or a newer one: in use by others than the turn that made it. */
    private SessionState renew(Known known, long deadline) {
        var used = maker == null ? null : new Maker(maker.turn(), maker.how(), true);
        return new SessionState(known, ttlMs, Math.max(deadlineMs, deadline), rowDeadlineMs, contextTokens, used);
    }

    /**
     * The deadline may have been reached. The actor has nothing left to do if the outcome's deadline is not ahead;
     * a binding that another authority refreshed meanwhile lives on.
     */
    public Step expire(SessionKey key, Sight sight) {
        var learnt = learn(ttlMs, sight);
        if (!learnt.bound()) {
            return new Step(learnt.until(deadlineMs), null, null);
        }
        if (learnt.deadlineMs > sight.nowMs()) {
            return new Step(learnt, null, null);
        }
        var row = sight.row();
        if (row == null || row.deadlineMs() <= sight.nowMs()) { // no row to remove, and a turn may yet bring it back
            return new Step(learnt.take(Known.removed(learnt.version()), sight.nowMs()), null, null);
        }
        var step = learnt.remove(key, sight, null);
        return new Step(step.state().until(sight.nowMs()), null, step.publish());
    }

    private SessionState heal(long ttl, Known known, Sight sight) {
        var learnt = learn(ttl, sight);
        // A row that looks expired here, by a clock that is ahead, is none to a turn that follows it.
        boolean alive = known.version() == learnt.version() && !learnt.bound() && known.worker() != null;
        return known.version() > learnt.version() || alive ? learnt.take(known, sight.nowMs() + ttl) : learnt;
    }

    /** Takes over what the replica knows better: a newer version, or a refresh that another authority made. */
    private SessionState learn(long ttl, Sight sight) {
        var row = sight.row();
        var seen = seeing(ttl, row);
        if (row == null || row.version() < version()) {
            return seen;
        }
        boolean usable = row.usable(sight.nowMs());
        long latest = Math.min(row.deadlineMs(), sight.nowMs() + ttl);
        if (row.version() > version()) {
            return seen.take(usable ? row.known() : Known.removed(row.version()), latest);
        }
        if (usable && !row.known().samePlace(current)) {
            return seen.take(row.known(), latest);
        }
        return bound() && row.deadlineMs() > rowDeadlineMs ? seen.until(Math.max(deadlineMs, latest)) : seen;
    }

    private SessionState seeing(long ttl, @Nullable BindingRow row) {
        long latest = row == null ? rowDeadlineMs : Math.max(rowDeadlineMs, row.deadlineMs());
        return new SessionState(current, ttlMs == 0 ? ttl : ttlMs, deadlineMs, latest, contextTokens, maker);
    }

    private SessionState take(Known known, long deadline) {
        return new SessionState(known, ttlMs, deadline, rowDeadlineMs, 0, null);
    }

    private SessionState adopt(Turn turn, Proposal proposal, Sight sight) {
        long next = Version.after(version(), sight.nowMs(), sight.writer());
        return new SessionState(
                new Known(next, proposal.worker(), proposal.rank()),
                turn.ttlMs(),
                sight.nowMs() + turn.ttlMs(),
                rowDeadlineMs,
                contextTokens,
                new Maker(turn.id(), bound() ? How.REBOUND : How.CREATED, false));
    }

    private SessionState touch(Turn turn, Sight sight) {
        if (!bound()) {
            return this;
        }
        var used = maker == null || maker.turn().equals(turn.id()) ? maker : new Maker(maker.turn(), maker.how(), true);
        // Never earlier: where the time-out has become shorter, a turn that runs by the longer one relies on it.
        long deadline = Math.max(deadlineMs, sight.nowMs() + turn.ttlMs());
        return new SessionState(current, turn.ttlMs(), deadline, rowDeadlineMs, contextTokens, used);
    }

    private SessionState remember(TurnEnd end) {
        long tokens = end.served() && end.contextTokens() > 0 ? end.contextTokens() : contextTokens;
        return new SessionState(current, ttlMs, deadlineMs, rowDeadlineMs, tokens, maker);
    }

    private SessionState until(long deadline) {
        return new SessionState(current, ttlMs, deadline, rowDeadlineMs, contextTokens, maker);
    }

    private boolean concerns(Turn turn, Known known) {
        return bound() && (known.version() == version() || (known.version() == Version.NONE && madeBy(turn)));
    }

    private boolean madeBy(Turn turn) {
        return maker != null && maker.turn().equals(turn.id());
    }

    /** A question that comes twice is answered as it was. */
    private How how(Turn turn) {
        return maker != null && madeBy(turn) ? maker.how() : How.FOLLOWED;
    }

    /** A removal is published by the actor that makes it, and by no other: what heals it is its row. */
    private Step remove(SessionKey key, Sight sight, @Nullable How how) {
        long next = Version.after(version(), sight.nowMs(), sight.writer());
        return new SessionState(Known.removed(next), ttlMs, deadlineMs, rowDeadlineMs, 0, null)
                .until(sight.nowMs() + LINGER_MS)
                .publish(key, sight, how);
    }

    private Step settle(SessionKey key, Sight sight, @Nullable How how) {
        var settled = bound() ? this : until(sight.nowMs() + LINGER_MS);
        return lacks(sight) ? publish(key, sight, how) : new Step(settled, settled.answer(how), null);
    }

    private Step publish(SessionKey key, Sight sight, @Nullable How how) {
        long deadline = Math.max(rowDeadlineMs, sight.nowMs() + ttlMs * 6 / 5 + 2 * sight.skewMs());
        var row = new BindingRow(key, version(), current.worker(), current.rank(), deadline);
        var published = new SessionState(current, ttlMs, deadlineMs, deadline, contextTokens, maker);
        return new Step(published, answer(how), row);
    }

    /** Whether the replica lacks the binding, or a touch found its row near its end: 1.1 times the time-out ahead. */
    private boolean lacks(Sight sight) {
        var row = sight.row();
        boolean touched = deadlineMs >= sight.nowMs() + ttlMs;
        boolean nearEnd = row != null && row.deadlineMs() < sight.nowMs() + ttlMs * 11 / 10;
        return bound() && (row == null || row.version() < version() || (touched && nearEnd));
    }

    private @Nullable Answer answer(@Nullable How how) {
        if (how == null) {
            return null;
        }
        WorkerId worker = current.worker();
        return worker == null
                ? new Answer.Unbound(version())
                : new Answer.Bound(new Binding(worker, current.rank(), version()), contextTokens, how);
    }
}
