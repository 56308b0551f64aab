package io.kvrouter.cluster.session;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.Cancellable;
import org.jspecify.annotations.Nullable;

/** A question to a session's actor: the message lives on when the decision has stopped waiting for its answer. */
final class ActorAsked implements Sessions.Asked {
    /** How long an answer may take before the question is taken for lost: a hundred times what it takes at rest. */
    private static final Duration USUAL = Duration.ofMillis(100);
    /** Pekko's timers are late by up to this, and never early. */
    private static final Duration TICK = Duration.ofMillis(10);

    /** The longest pause between two repetitions. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /**
     * What was asked.
     *
     * @param proposal none for a turn that follows: the replica knows where it goes
     * @param timesHeard how often the shard had been heard before
     */
    record Question(SessionKey key, Turn turn, @Nullable Proposal proposal, long timesHeard) {}

    private final ClusterSessions sessions;
    private final Question question;
    private final CompletableFuture<Answer> answer;
    private final Runnable again;

    /** @param again sends the question once more */
    ActorAsked(ClusterSessions sessions, Question question, CompletionStage<Answer> answer, Runnable again) {
        this.sessions = sessions;
        this.question = question;
        this.answer = answer.toCompletableFuture();
        this.again = again;
    }

    @Override
    public CompletionStage<Answer> answer() {
        return answer;
    }

    @Override
    public CompletionStage<Optional<Answer>> within(Duration budget) {
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            return answer.thenApply(Optional::of);
        }
        if (sessions.silence.silent(question.key().shard()) || budget.isNegative() || budget.isZero()) {
            sessions.unawaited.increment();
            goOn();
            insist(USUAL);
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return await(budget);
    }

    private CompletionStage<Optional<Answer>> await(Duration budget) {
        var decided = new CompletableFuture<Optional<Answer>>();
        long deadline = System.nanoTime() + budget.minus(TICK).toNanos();
        Duration first = budget.compareTo(USUAL) < 0 ? budget : USUAL;
        var timer = after(first, () -> waitOn(decided, deadline));
        var unused = answer.thenAccept(heard -> {
            timer.cancel();
            decided.complete(Optional.of(heard));
        });
        return decided;
    }

    private void waitOn(CompletableFuture<Optional<Answer>> decided, long deadline) {
        if (decided.isDone()) {
            return;
        }
        insist(Duration.ZERO);
        long rest = deadline - System.nanoTime();
        if (rest <= 0) {
            giveUp(decided);
        } else {
            var unused = after(Duration.ofNanos(rest), () -> giveUp(decided));
        }
    }

    /** Repeats the question until it is answered or out of date, and keeps the turn's end waiting for that. */
    private void insist(Duration pause) {
        var turn = question.turn().id();
        sessions.unheard.put(turn, answer);
        var unused = answer.whenComplete((heard, failure) -> sessions.unheard.remove(turn, answer));
        repeatAfter(pause);
    }

    private void repeatAfter(Duration pause) {
        var unused = after(pause, () -> {
            if (!answer.isDone()) {
                sessions.repeated.increment();
                again.run();
                Duration longer = pause.multipliedBy(2).plus(USUAL);
                repeatAfter(longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE);
            }
        });
    }

    private Cancellable after(Duration pause, Runnable step) {
        var system = sessions.system();
        return system.scheduler().scheduleOnce(pause, step, system.executionContext());
    }

    private void giveUp(CompletableFuture<Optional<Answer>> decided) {
        // First the books, then the decision: who reads them after it finds them written.
        if (decided.isDone()) {
            return;
        }
        sessions.timeouts.increment();
        sessions.silence.waitedInVain(question.key().shard(), question.timesHeard());
        goOn();
        decided.complete(Optional.empty());
    }

    /** The decision goes where it proposed, and so do the session's next ones until its actor is heard. */
    private void goOn() {
        var proposal = question.proposal();
        if (proposal != null
                && sessions.provisional.remember(
                        question.key(),
                        proposal,
                        sessions.nowMs(),
                        question.turn().ttlMs())) {
            sessions.remembered.increment();
        }
        var unused = answer.thenAccept(heard -> {
            sessions.late.increment();
            sessions.provisional.forget(question.key());
        });
    }
}
