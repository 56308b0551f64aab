package io.kvrouter.http.turn;

import io.kvrouter.cluster.session.Sessions.Asked;
import io.kvrouter.session.Answer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * How often, and how long over all, one turn may wait for its session's actor. One turn's steps follow one another, so
 * its fields need no lock.
 */
final class AskBudget {
    private static final int MAX_ASKS = 3;

    private long leftNanos;
    private int asks;

    AskBudget(Duration budget) {
        this.leftNanos = budget.toNanos();
    }

    boolean spent() {
        return asks >= MAX_ASKS || leftNanos <= 0;
    }

    /** The answer, if it comes while the budget lasts. */
    CompletionStage<Optional<Answer>> await(Asked asked) {
        asks++;
        long began = System.nanoTime();
        return asked.within(Duration.ofNanos(Math.max(0, leftNanos)))
                .whenComplete((answer, failure) -> leftNanos -= System.nanoTime() - began);
    }
}
