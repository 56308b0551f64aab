package io.kvrouter.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    private final RetryBudget budget = new RetryBudget(0.2, 3);
    private long now = 5_000;

    /** Retries until nothing is left. */
    private int spendAll() {
        int spent = 0;
        while (budget.left(now)) {
            budget.spend(now);
            spent++;
        }
        return spent;
    }

    @Test
    void aQuietNodeMayTryAgainToo() {
        assertThat(spendAll()).isEqualTo(3);
    }

    @Test
    void eachRequestEarnsAShare() {
        for (int i = 0; i < 100; i++) {
            budget.earn(now);
        }

        assertThat(spendAll()).isEqualTo(23);
    }

    @Test
    void whatWasSpentIsForgottenAfterTenSeconds() {
        spendAll();
        now += 9_000;
        assertThat(spendAll()).isZero();

        now += 1_000;

        assertThat(spendAll()).isEqualTo(3);
    }

    @Test
    void timeThatRunsBackDoesNoHarm() {
        spendAll();
        now -= 60_000;

        assertThat(spendAll()).isZero();
    }

    @Test
    void countsAreThoseOfTheLastTenSecondsWhateverTheTimes() {
        for (int seed = 0; seed < 50; seed++) {
            var random = new Random(seed);
            var counts = new RecentCounts();
            Deque<Long> naive = new ArrayDeque<>();
            long time = random.nextLong(1_000_000) - 500_000;
            for (int i = 0; i < 500; i++) {
                time += random.nextLong(random.nextInt(10) == 0 ? 30_000 : 300);
                counts.add(1, 0, time);
                naive.add(Math.floorDiv(time, 1_000L));
                long oldest = Math.floorDiv(time, 1_000L) - 9;
                naive.removeIf(second -> second < oldest);

                assertThat(counts.all(time)).as("seed %d, step %d", seed, i).isEqualTo(naive.size());
            }
        }
    }
}
