package io.kvrouter.access.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TokenWindowTest {
    private record Added(long tokens, long at) {}

    @Test
    void whatWasAddedCountsForAMinuteAndForLessThanASecondMore() {
        var random = new SplittableRandom(3);
        long now = 1_000_000;
        var window = new TokenWindow(now);
        List<Added> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            now += random.nextInt(100) == 0 ? random.nextLong(100_000) : random.nextLong(500);
            if (random.nextBoolean()) {
                var added = new Added(random.nextLong(1_000), now);
                window.add(added.tokens, now);
                all.add(added);
            }
            assertThat(window.sum(now)).isBetween(since(all, now - 60_000), since(all, now - 61_000));
        }
    }

    private static long since(List<Added> all, long time) {
        return all.reversed().stream()
                .takeWhile(added -> added.at > time)
                .mapToLong(Added::tokens)
                .sum();
    }

    @Test
    void itIsBelowALimitAfterAsManySecondsAsItSaysAndNotBefore() {
        var random = new SplittableRandom(4);
        for (int i = 0; i < 300; i++) {
            var window = new TokenWindow(0);
            long now = 0;
            for (int add = 0; add < 20; add++) {
                now += random.nextLong(6_000);
                window.add(random.nextLong(100), now);
            }
            long limit = 1 + random.nextLong(1_000);
            int seconds = window.secondsUntilBelow(limit, now);

            assertThat(seconds).isBetween(0, 61);
            if (seconds > 0) {
                assertThat(window.sum(now + (seconds - 1) * 1_000L)).isGreaterThanOrEqualTo(limit);
            }
            assertThat(window.sum(now + seconds * 1_000L)).isLessThan(limit);
        }
    }
}
