package io.kvrouter.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SyntheticSessionsTest {
    private static final int SESSIONS = 3_000;
    private static final List<List<SessionTurn>> ALL = new ArrayList<>();

    @BeforeAll
    static void draw() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < SESSIONS; i++) {
            ALL.add(turns(new SyntheticSessions().next(random).turns()));
        }
    }

    @Test
    void lengthsAreThoseOfTheCorpus() {
        assertThat(median(ALL.stream().mapToDouble(List::size).toArray())).isCloseTo(44, Percentage.withPercentage(8));
        assertThat(ALL).allSatisfy(turns -> assertThat(turns).hasSizeBetween(3, 600));
    }

    @Test
    void promptsOutputsAndPausesHaveTheCorpusMedians() {
        assertThat(median(SessionTurn::promptTokens)).isCloseTo(99_000, Percentage.withPercentage(15));
        assertThat(median(SessionTurn::outputTokens)).isCloseTo(240, Percentage.withPercentage(12));
        assertThat(median(SessionTurn::thinkSeconds)).isCloseTo(10, Percentage.withPercentage(15));
    }

    @Test
    void aPromptNeverOutgrowsTheContext() {
        assertThat(ALL.stream().flatMap(List::stream).mapToInt(SessionTurn::promptTokens))
                .allMatch(tokens -> tokens <= 258_000);
    }

    @Test
    void aCacheWithoutBoundsHitsAsMuchAsOnTheCorpus() {
        long prompt = 0;
        long hit = 0;
        for (List<SessionTurn> turns : ALL) {
            var cache = new InfiniteCache();
            for (SessionTurn turn : turns) {
                prompt += turn.promptTokens();
                hit += cache.hit(turn);
            }
        }

        assertThat((double) hit / prompt).isCloseTo(0.963, within(0.005));
    }

    @Test
    void aSeedHasItsSessions() {
        var again = new SplittableRandom(1);

        assertThat(turns(new SyntheticSessions().next(again).turns())).isEqualTo(ALL.getFirst());
    }

    private static List<SessionTurn> turns(Iterator<SessionTurn> turns) {
        List<SessionTurn> all = new ArrayList<>();
        turns.forEachRemaining(all::add);
        return all;
    }

    private static double median(ToDoubleFunction<SessionTurn> value) {
        return median(ALL.stream().flatMap(List::stream).mapToDouble(value).toArray());
    }

    private static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
