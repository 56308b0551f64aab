package io.kvrouter.access.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedTokensTest {
    private static final String CALLER = "a";

    private final SharedTokens tokens = new SharedTokens();

    private boolean mayGo(long limit, long now) {
        return tokens.secondsToWait(CALLER, limit, now).isEmpty();
    }

    @Test
    void aloneANodeCountsAtOnce() {
        tokens.spends(CALLER, 99, 0);
        assertThat(mayGo(100, 0)).isTrue();

        tokens.spends(CALLER, 1, 0);

        assertThat(tokens.secondsToWait(CALLER, 100, 0)).hasValue(61);
        assertThat(tokens.secondsToWait(CALLER, 100, 60_999)).hasValue(1);
        assertThat(mayGo(100, 61_000)).isTrue();
    }

    @Test
    void callersAreApart() {
        tokens.spends("b", 1_000, 0);

        assertThat(mayGo(1, 0)).isTrue();
    }

    @Test
    void whatOthersToldCounts() {
        tokens.told(7, Map.of(CALLER, new Spent(0, 60, 60)), 0);
        tokens.told(8, Map.of(CALLER, new Spent(0, 40, 40)), 0);

        assertThat(mayGo(100, 0)).isFalse();
    }

    @Test
    void whatIsToldAgainCountsOnce() {
        tokens.told(7, Map.of(CALLER, new Spent(0, 60, 60)), 0);
        tokens.told(7, Map.of(CALLER, new Spent(0, 60, 60)), 1_000);

        assertThat(mayGo(100, 1_000)).isTrue();
    }

    @Test
    void whatWasMissedIsInTheNextWord() {
        tokens.told(7, Map.of(CALLER, new Spent(0, 10, 10)), 0);
        tokens.told(7, Map.of(CALLER, new Spent(0, 100, 100)), 1_000);

        assertThat(mayGo(100, 1_000)).isFalse();
    }

    @Test
    void aNodeThatHearsOfATotalForTheFirstTimeTakesItsLastMinute() {
        tokens.told(7, Map.of(CALLER, new Spent(0, 1_000_000, 99)), 0);

        assertThat(mayGo(100, 0)).isTrue();
        assertThat(mayGo(99, 0)).isFalse();
    }

    @Test
    void aTotalThatBeginsAnewCountsFromItsBeginning() {
        tokens.told(7, Map.of(CALLER, new Spent(0, 50, 50)), 0);
        tokens.told(7, Map.of(CALLER, new Spent(9, 50, 50)), 10);

        assertThat(mayGo(100, 10)).isFalse();
    }

    @Test
    void whatANodeToldThatIsGoneLeavesTheWindowLikeAllElse() {
        tokens.told(7, Map.of(CALLER, new Spent(0, 100, 100)), 500);

        assertThat(mayGo(100, 60_500)).isFalse();
        assertThat(mayGo(100, 61_000)).isTrue();
    }

    @Test
    void onlyWhatIsNewIsToldAndAllOfItWhenAllIsAskedFor() {
        tokens.spends(CALLER, 5, 0);
        tokens.spends("b", 7, 0);
        tokens.news(false, 0);
        tokens.spends(CALLER, 1, 10);

        assertThat(tokens.news(false, 10)).isEqualTo(Map.of(CALLER, new Spent(0, 6, 6)));
        assertThat(tokens.news(false, 20)).isEmpty();
        assertThat(tokens.news(true, 20)).isEqualTo(Map.of(CALLER, new Spent(0, 6, 6), "b", new Spent(0, 7, 7)));
    }

    @Test
    void whoUsesNothingIsForgotten() {
        tokens.spends(CALLER, 5, 0);

        assertThat(tokens.news(true, 61_000)).isEmpty();
    }

    @Test
    void whatOthersToldIsNotToldOn() {
        tokens.told(7, Map.of(CALLER, new Spent(0, 100, 100)), 0);

        assertThat(tokens.news(true, 0)).isEmpty();
    }

    @Test
    void aWordThatCannotBeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Spent(0, 1, 2));
    }

    /** As many as fit into the limit, and what was in flight; what others counted is heard in its time. */
    @ParameterizedTest
    @CsvSource({
        "1, 1000, 0",
        "2, 1000, 0",
        "3, 20000, 0",
        "8, 20000, 0",
        "3, 20000, 0.1",
        "3, 20000, 0.5",
        "5, 300, 0.3"
    })
    void theLimitIsExceededByNoMoreThanWasInFlightAndNotHeardOf(int nodes, int limit, double lost) {
        long let = LongStream.range(0, 20)
                .map(seed -> new TokenWorld(nodes, limit, lost, seed).run())
                .sum();

        assertThat(let).isGreaterThan(1_000);
    }
}
