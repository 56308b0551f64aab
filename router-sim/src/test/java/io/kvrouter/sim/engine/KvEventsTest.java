package io.kvrouter.sim.engine;

import static io.kvrouter.sim.engine.VirtualRun.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KvEventsTest {
    private static final Passage.Scope COMMON = Passage.Scope.COMMON;

    private final List<List<KvEvent>> steps = new ArrayList<>();

    @Test
    void aPromptIsStoredAtTheEndOfItsStepAsOneEvent() {
        var run = run(16);

        run.submit(request(1, COMMON, 14, 1)).step();
        assertThat(steps).isEmpty();
        run.step();

        assertThat(steps).hasSize(1);
        var stored = stored(0, 0);
        assertThat(stored.blocks()).hasSize(3).doesNotHaveDuplicates();
        assertThat(stored.parent()).isEmpty();
        assertThat(stored.tokens(BLOCK)).containsExactly(IntStream.range(0, 12).toArray());
        assertThat(stored.scope()).isEqualTo(COMMON);
    }

    @Test
    void anAnswersBlocksFollowWithThePromptAsTheirParent() {
        var run = run(16);

        run.submit(request(1, COMMON, 10, 8)).drain();

        assertThat(steps).hasSize(3);
        assertThat(stored(1, 0).parent()).hasValue(stored(0, 0).blocks()[1]);
        assertThat(stored(1, 0).tokens(BLOCK)).containsExactly(8, 9, 10, 11);
        assertThat(stored(2, 0).parent()).hasValue(stored(1, 0).blocks()[0]);
        assertThat(stored(2, 0).tokens(BLOCK)).containsExactly(12, 13, 14, 15);
    }

    @Test
    void aLaterTurnFindsTheAnswerAndStoresWhatIsNew() {
        var run = run(16);
        run.submit(request(1, COMMON, 10, 8)).drain();
        steps.clear();

        assertThat(run.cachedTokens(request(2, COMMON, 24, 1))).isEqualTo(16);

        assertThat(steps).hasSize(1);
        assertThat(stored(0, 0).tokens(BLOCK))
                .containsExactly(IntStream.range(16, 24).toArray());
    }

    @Test
    void whatIsCachedAlreadyIsNotStoredAgain() {
        var run = run(16);
        run.submit(request(1, COMMON, 12, 1)).drain();

        run.submit(request(2, COMMON, 12, 1)).drain();

        assertThat(steps).hasSize(1);
    }

    @Test
    void evictedBlocksAreRemovedBeforeWhatTakesTheirPlace() {
        var run = run(5);
        run.submit(request(1, COMMON, 16, 1)).drain();
        long[] first = stored(0, 0).blocks();

        run.submit(request(2, new Passage.Scope("adapter", "salt"), 12, 1)).drain();

        assertThat(steps.get(1)).hasSize(2);
        assertThat(steps.get(1).getFirst()).isInstanceOf(KvEvent.Removed.class);
        assertThat(steps.get(1).getFirst().blocks()).containsExactly(first[3], first[2]);
        assertThat(stored(1, 1).scope()).isEqualTo(new Passage.Scope("adapter", "salt"));
    }

    @Test
    void aBlockStoredAgainHasAnotherName() {
        var run = run(5);
        run.submit(request(1, COMMON, 16, 1)).drain();
        run.submit(request(2, new Passage.Scope("a", ""), 16, 1)).drain();
        run.submit(request(3, COMMON, 16, 1)).drain();

        assertThat(stored(2, 1).blocks()).hasSize(3).doesNotContain(stored(0, 0).blocks());
    }

    @Test
    void enginesOfOtherSeedsPublishOtherNames() {
        run(16, 1).submit(request(1, COMMON, 16, 1)).drain();
        run(16, 2).submit(request(1, COMMON, 16, 1)).drain();

        assertThat(stored(1, 0).blocks()).doesNotContain(stored(0, 0).blocks());
    }

    @Test
    void aTracesBlocksHaveTokensToo() {
        var run = run(16);
        run.submit(VirtualRun.request(1, 7, 12, 1)).drain();
        run(16).submit(VirtualRun.request(1, 7, 12, 1)).drain();

        assertThat(stored(0, 0).tokens(BLOCK)).hasSize(12).doesNotHaveDuplicates();
        assertThat(stored(1, 0).tokens(BLOCK)).isEqualTo(stored(0, 0).tokens(BLOCK));
    }

    /** Many sequences at once in a pool that is too small for them: eviction, preemption, aborts. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whoAppliesTheEventsKnowsTheCacheAtTheEndOfEachStep(long seed) {
        var random = new Random(seed);
        var naive = new NaiveIndex();
        var run = run(40, seed, now -> {
            naive.apply(steps);
            assertThat(naive.prefixes).hasSize(now.engine.stats().cachedBlocks());
        });
        for (int id = 0; id < 2_000; id++) {
            run.submit(randomRequest(id, random));
            if (random.nextInt(50) == 0) {
                run.engine.abort(id - random.nextInt(3));
            }
            for (int i = random.nextInt(4); i > 0 && run.engine.nextEventMs() < Double.POSITIVE_INFINITY; i--) {
                run.step();
            }
        }
        run.drain();

        var totals = run.engine.stats().totals();
        assertThat(totals.evictedBlocks()).isPositive();
        assertThat(totals.preemptions()).isPositive();
        for (int id = 2_000; id < 2_200; id++) {
            EngineRequest probe = randomRequest(id, random);
            int known = naive.knownTokens(probe);
            assertThat(run.cachedTokens(probe)).isEqualTo(known);
        }
    }

    private static EngineRequest randomRequest(long id, Random random) {
        var scope = random.nextInt(4) == 0 ? new Passage.Scope("a", "") : COMMON;
        int[] prompt = prefixed(random.nextInt(5), random.nextInt(80), 1 + random.nextInt(80));
        int[] answer = prefixed(random.nextInt(3), 3, 1 + random.nextInt(60));
        return new EngineRequest(id, Passage.ofTokens(scope, prompt, answer, BLOCK));
    }

    /** Conversations that share a first part and then fork. */
    private static int[] prefixed(int conversation, int forkAt, int length) {
        return IntStream.range(0, length)
                .map(i -> i < forkAt ? conversation * 1_000 + i : forkAt * 1_000_000 + i)
                .toArray();
    }

    private KvEvent.Stored stored(int step, int index) {
        return (KvEvent.Stored) steps.get(step).get(index);
    }

    private VirtualRun run(int blocks) {
        return run(blocks, 42);
    }

    private VirtualRun run(int blocks, long seed) {
        return run(blocks, seed, run -> {});
    }

    private VirtualRun run(int blocks, long seed, Consumer<VirtualRun> afterStep) {
        var self = new AtomicReference<VirtualRun>();
        var engine = new Engine(VirtualRun.pool(blocks), new SplittableRandom(seed), (atMs, events) -> {
            steps.add(events);
            afterStep.accept(self.get());
        });
        self.set(new VirtualRun(engine));
        return self.get();
    }

    /** Tokens counted from 0, prompt and answer. */
    private static EngineRequest request(long id, Passage.Scope scope, int promptTokens, int outputTokens) {
        int[] prompt = IntStream.range(0, promptTokens).toArray();
        int[] answer =
                IntStream.range(promptTokens, promptTokens + outputTokens).toArray();
        return new EngineRequest(id, Passage.ofTokens(scope, prompt, answer, BLOCK));
    }

    /** Blocks by name, each with all the tokens up to its end; what a router could know at best. */
    private static final class NaiveIndex {
        final Map<Long, List<Object>> prefixes = new HashMap<>();

        void apply(List<List<KvEvent>> steps) {
            steps.forEach(step -> step.forEach(this::apply));
            steps.clear();
        }

        private void apply(KvEvent event) {
            switch (event) {
                case KvEvent.Stored stored -> add(stored);
                case KvEvent.Removed removed -> {
                    for (long block : removed.blocks()) {
                        assertThat(prefixes.remove(block)).isNotNull();
                    }
                }
            }
        }

        private void add(KvEvent.Stored stored) {
            List<Object> before = stored.parent().isEmpty()
                    ? List.of(stored.scope())
                    : prefixes.get(stored.parent().getAsLong());
            assertThat(before).as("the parent is known").isNotNull();
            int[] tokens = stored.tokens(BLOCK);
            assertThat(tokens).hasSize(stored.blocks().length * BLOCK);
            for (int i = 0; i < stored.blocks().length; i++) {
                var prefix = new ArrayList<>(before);
                Arrays.stream(tokens, i * BLOCK, (i + 1) * BLOCK).forEach(prefix::add);
                assertThat(prefixes.put(stored.blocks()[i], prefix)).isNull();
                before = prefix;
            }
        }

        int knownTokens(EngineRequest request) {
            Set<List<Object>> known = new HashSet<>(prefixes.values());
            var prefix = new ArrayList<Object>(List.of(request.scope()));
            int limit = (request.promptTokens() - 1) / BLOCK;
            for (int block = 0; block < limit; block++) {
                Arrays.stream(request.blockTokens(block, 1, BLOCK)).forEach(prefix::add);
                if (!known.contains(prefix)) {
                    return block * BLOCK;
                }
            }
            return limit * BLOCK;
        }
    }
}
