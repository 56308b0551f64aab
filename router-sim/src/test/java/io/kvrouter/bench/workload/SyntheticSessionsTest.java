package io.kvrouter.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
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

    @Test
    void subAgentsRunSideBySideAndHaveBlocksOfTheirOwn() {
        List<SessionTurn> turns = turns(
                new SyntheticSessions(0.1, 0).next(new SplittableRandom(5)).turns());
        List<List<List<SessionTurn>>> runs = turns.stream()
                .map(SessionTurn::agents)
                .filter(agents -> !agents.isEmpty())
                .toList();

        assertThat(turns.getFirst().agents()).isEmpty();
        assertThat(runs).isNotEmpty().allSatisfy(agents -> assertThat(agents).hasSizeBetween(2, 8));
        Set<Integer> firsts = runs.stream()
                .flatMap(List::stream)
                .map(agent -> agent.getFirst().blocks().getFirst().first())
                .collect(Collectors.toSet());
        assertThat(firsts)
                .hasSize(runs.stream().mapToInt(List::size).sum())
                .doesNotContain(turns.getFirst().blocks().getFirst().first());
    }

    @Test
    void aSubAgentsContextOnlyGrows() {
        List<SessionTurn> agent = turns(new SyntheticSessions(1, 0)
                        .next(new SplittableRandom(5))
                        .turns())
                .get(1)
                .agents()
                .getFirst();
        var cache = new InfiniteCache();
        int before = 0;

        for (SessionTurn turn : agent) {
            assertThat(cache.hit(turn)).isEqualTo(before / SessionTurn.BLOCK_TOKENS * SessionTurn.BLOCK_TOKENS);
            before = turn.promptTokens();
        }
    }

    @Test
    void systemPromptsAreSharedTheFrequentOnesByMany() {
        var random = new SplittableRandom(1);
        var source = new SyntheticSessions(0, 10);
        Map<Integer, Integer> drawn = new HashMap<>();
        for (int i = 0; i < SESSIONS; i++) {
            BlockRun first = source.next(random).turns().next().blocks().getFirst();
            assertThat(first.isShared()).isTrue();
            assertThat(first.count()).isEqualTo(225);
            drawn.merge(first.first(), 1, Integer::sum);
        }

        assertThat(drawn).hasSize(10);
        assertThat(drawn.get(BlockRun.FIRST_SHARED)).isCloseTo((int) (SESSIONS / 2.929), within(100));
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
