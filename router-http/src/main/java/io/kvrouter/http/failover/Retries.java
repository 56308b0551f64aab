package io.kvrouter.http.failover;

import io.kvrouter.failover.RetryBudget;
import io.kvrouter.failover.RetrySettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a node's requests may try again, and how often they did. One for all of them: the budget is the node's. Safe for
 * use by several threads.
 */
public final class Retries {
    private static final int LARGEST_SHIFT = 10;

    private final RetrySettings settings;
    private final RetryBudget budget;
    private final InstantSource clock;
    private final Map<Retry, LongAdder> made = new EnumMap<>(Retry.class);
    private final LongAdder denied = new LongAdder();

    public Retries(RetrySettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.budget = new RetryBudget(settings.share(), settings.reserve());
        for (Retry why : Retry.values()) {
            made.put(why, new LongAdder());
        }
    }

    /** A request has come in. */
    public void began() {
        synchronized (budget) {
            budget.earn(clock.millis());
        }
    }

    /** After how long without a byte of its answer a request without a session is hedged; zero = never. */
    public Duration hedgeAfter() {
        return settings.hedgeAfter();
    }

    /** Whether a request may go to another worker after so many attempts. */
    public boolean allowed(Retry why, int attempts) {
        if (attempts >= settings.maxAttempts()) {
            return false;
        }
        boolean left = why == Retry.CONNECT || left();
        if (!left) {
            denied.increment();
        }
        return left;
    }

    private boolean left() {
        synchronized (budget) {
            return budget.left(clock.millis());
        }
    }

    /**
     * What to wait for before the next attempt: nothing at the first retry, which goes to another worker, nor where a
     * worker was not there; then a time that doubles, at random between half and whole, so that requests which were
     * refused together don't come together again.
     *
     * @param loop on which the stage completes if there is a wait
     */
    public CompletionStage<Void> pause(Retry why, int attempts, Executor loop) {
        long longest = attempts < 2 || why == Retry.CONNECT
                ? 0
                : settings.backOff().toMillis() << Math.min(attempts - 2, LARGEST_SHIFT);
        if (longest == 0) {
            return CompletableFuture.completedStage(null);
        }
        long millis = ThreadLocalRandom.current().nextLong(longest - longest / 2, longest + 1);
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, loop));
    }

    /** A request goes to another worker. */
    public void made(Retry why) {
        counter(why).increment();
        if (why != Retry.CONNECT) {
            synchronized (budget) {
                budget.spend(clock.millis());
            }
        }
    }

    /** How long a worker wants to be left alone; zero if it does not say, in whole seconds as HTTP has it. */
    public Duration rest(String retryAfter) {
        boolean seconds = !retryAfter.isEmpty()
                && retryAfter.length() <= 9
                && retryAfter.chars().allMatch(c -> c >= '0' && c <= '9');
        var asked = seconds ? Duration.ofSeconds(Long.parseLong(retryAfter)) : Duration.ZERO;
        return asked.compareTo(settings.longestRest()) < 0 ? asked : settings.longestRest();
    }

    private LongAdder counter(Retry why) {
        return Objects.requireNonNull(made.get(why), "retry");
    }

    /** Retries so far for this reason. */
    public long count(Retry why) {
        return counter(why).sum();
    }

    /** Retries that the budget did not allow. */
    public long denied() {
        return denied.sum();
    }
}
