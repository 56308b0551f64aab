package io.kvrouter.cluster.session;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A question to a session's actor: the message lives on when the decision has stopped waiting for its answer. */
final class ActorAsked implements Sessions.Asked {
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

    ActorAsked(ClusterSessions sessions, Question question, CompletionStage<Answer> answer) {
        this.sessions = sessions;
        this.question = question;
        this.answer = answer.toCompletableFuture();
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
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return await(budget);
    }

    private CompletionStage<Optional<Answer>> await(Duration budget) {
        var decided = new CompletableFuture<Optional<Answer>>();
        var timer = sessions.system()
                .scheduler()
                .scheduleOnce(budget, () -> giveUp(decided), sessions.system().executionContext());
        var unused = answer.thenAccept(heard -> {
            timer.cancel();
            decided.complete(Optional.of(heard));
        });
        return decided;
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
