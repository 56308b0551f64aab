package io.kvrouter.http.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.failover.RetrySettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetriesTest {
    private static final Retries RETRIES = of(3, 0, 2);

    private static Retries of(int attempts, double share, int reserve) {
        var settings = new RetrySettings(
                attempts, share, reserve, Duration.ofMillis(1), Duration.ofSeconds(30), Duration.ZERO);
        return new Retries(settings, InstantSource.fixed(Instant.EPOCH));
    }

    @Test
    void theLastAttemptIsTheLast() {
        assertThat(RETRIES.allowed(Retry.RESET, 2)).isTrue();
        assertThat(RETRIES.allowed(Retry.RESET, 3)).isFalse();
        assertThat(RETRIES.denied()).isZero();
    }

    @Test
    void whatTheBudgetDoesNotAllowIsCounted() {
        var retries = of(3, 0, 2);
        retries.made(Retry.PUSHED_BACK);
        retries.made(Retry.RESET);

        assertThat(retries.allowed(Retry.PUSHED_BACK, 1)).isFalse();
        assertThat(retries.denied()).isEqualTo(1);
        assertThat(retries.count(Retry.PUSHED_BACK)).isEqualTo(1);
    }

    @Test
    void aWorkerThatWasNotThereCostsNothing() {
        var retries = of(3, 0, 1);
        for (int i = 0; i < 10; i++) {
            retries.made(Retry.CONNECT);
        }

        assertThat(retries.allowed(Retry.PUSHED_BACK, 1)).isTrue();
        retries.made(Retry.PUSHED_BACK);
        assertThat(retries.allowed(Retry.CONNECT, 1)).isTrue();
        assertThat(retries.count(Retry.CONNECT)).isEqualTo(10);
    }

    @Test
    void requestsEarnRetries() {
        var retries = of(3, 0.5, 0);
        assertThat(retries.allowed(Retry.RESET, 1)).isFalse();

        retries.began();

        assertThat(retries.allowed(Retry.RESET, 1)).isTrue();
    }

    @Test
    void theFirstRetryAndThoseOfFailedConnectsGoAtOnce() {
        assertThat(RETRIES.pause(Retry.PUSHED_BACK, 1, Runnable::run).toCompletableFuture())
                .isDone();
        assertThat(RETRIES.pause(Retry.CONNECT, 2, Runnable::run).toCompletableFuture())
                .isDone();
    }

    @Test
    void furtherOnesWaitAndGoOnWhereTheyAreTold() throws Exception {
        var thread = new Thread[1];

        RETRIES.pause(Retry.PUSHED_BACK, 2, task -> {
                    thread[0] = Thread.currentThread();
                    task.run();
                })
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);

        assertThat(thread[0]).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "0, 0", "30, 30", "31, 30", "999999999, 30", "9999999999, 0", "-1, 0", "soon, 0", "'', 0"})
    void aWorkersRestIsReadInSecondsAndBounded(String retryAfter, long seconds) {
        assertThat(RETRIES.rest(retryAfter)).isEqualTo(Duration.ofSeconds(seconds));
    }
}
