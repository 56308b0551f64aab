package io.kvrouter.sim.engine;

import static io.kvrouter.sim.engine.VirtualRun.pool;
import static io.kvrouter.sim.engine.VirtualRun.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchingTest {
    private static final EngineSettings BIG = EngineSettings.DEFAULT;

    @Test
    void theFirstTokenComesWhenThePrefillIsComplete() {
        var run = new VirtualRun(BIG);
        run.submit(request(1, 7, 512, 3)).drain();

        double used = 512.0 / 64 / BIG.kvBlocks();
        assertThat(run.tokens(1).getFirst().atMs())
                .isCloseTo(StepTime.prefillMs(512) + StepTime.decodeMs(used), within(1e-6));
        assertThat(run.tokens(1)).extracting(EngineEvent.Token::index).containsExactly(0, 1, 2);
        assertThat(run.tokens(1)).extracting(EngineEvent.Token::last).containsExactly(false, false, true);
    }

    @Test
    void aPromptLongerThanAStepIsPrefilledInChunks() {
        var run = new VirtualRun(BIG);
        run.submit(request(1, 7, 20_000, 1)).drain();

        double share = Math.ceilDiv(20_000, 64) / (double) BIG.kvBlocks();
        double prefill = 2 * StepTime.prefillMs(8_192) + StepTime.prefillMs(20_000 - 2 * 8_192);
        assertThat(run.nowMs()).isCloseTo(prefill + 3 * StepTime.decodeMs(share), within(1e-6));
    }

    @Test
    void aRunningSequenceKeepsItsTokenAStepWhileALongPromptIsPrefilled() {
        var run = new VirtualRun(BIG);
        run.submit(request(1, 7, 64, 100)).step();
        run.step();
        run.submit(request(2, 8, 40_000, 1));
        while (run.tokens(2).isEmpty()) {
            run.step();
        }

        assertThat(run.tokens(1).stream()
                        .filter(token -> token.atMs() > run.admitted(2).atMs()))
                .hasSize(Math.ceilDiv(40_000, 8_191));
    }

    @Test
    void theMostAtATimeIsOfAllThatRanOrWaitedAndStays() {
        var run = new VirtualRun(BIG.withSequences(2));
        run.submit(request(1, 7, 64, 5)).submit(request(2, 8, 64, 5)).submit(request(3, 9, 64, 5));
        run.drain();
        run.submit(request(4, 10, 64, 5)).drain();

        assertThat(run.engine.stats().most()).isEqualTo(3);
    }

    @Test
    void requestsAreAdmittedInOrderOfArrival() {
        var run = new VirtualRun(pool(10));
        run.submit(request(1, 1, 24, 4)).submit(request(2, 2, 20, 1)).submit(request(3, 3, 4, 1));
        run.step();

        assertThat(run.engine.stats().running()).isEqualTo(1);
        assertThat(run.engine.stats().waiting()).isEqualTo(2);
        run.drain();
        assertThat(run.admitted(3).atMs())
                .isGreaterThanOrEqualTo(run.admitted(2).atMs());
    }

    @Test
    void noMoreThanTheMaximumOfSequencesRun() {
        var run = new VirtualRun(BIG);
        IntStream.range(0, 300).forEach(id -> run.submit(request(id, id, 8, 5)));
        run.step();

        assertThat(run.engine.stats().running()).isEqualTo(256);
        assertThat(run.engine.stats().waiting()).isEqualTo(44);
    }

    @Test
    void underPressureTheNewestIsPreemptedAndComputedAgain() {
        var run = new VirtualRun(pool(8));
        run.submit(request(1, 1, 16, 16)).submit(request(2, 2, 15, 16)).drain();

        assertThat(run.of(EngineEvent.Preempted.class, 1)).isEmpty();
        assertThat(run.of(EngineEvent.Preempted.class, 2)).isNotEmpty();
        assertThat(run.tokens(1)).hasSize(16);
        assertThat(run.tokens(2)).extracting(EngineEvent.Token::index).containsExactlyElementsOf(upTo(16));
        assertThat(run.of(EngineEvent.Admitted.class, 2)).hasSize(1);
        assertThat(run.engine.stats().totals().preemptions()).isPositive();
    }

    @Test
    void anAbortFreesTheBlocksAtOnceAlsoDuringAStep() {
        var run = new VirtualRun(pool(16));
        run.submit(request(1, 1, 16, 16)).submit(request(2, 2, 16, 2)).step();

        assertThat(run.engine.abort(1)).isTrue();

        assertThat(run.engine.stats().activeBlocks()).isEqualTo(4);
        run.drain();
        assertThat(run.tokens(1)).isEmpty();
        assertThat(run.tokens(2)).hasSize(2);
        assertThat(run.engine.abort(1)).isFalse();
    }

    @Test
    void anAbortedRequestLeavesTheQueueToo() {
        var run = new VirtualRun(pool(4));
        run.submit(request(1, 1, 12, 2)).submit(request(2, 2, 12, 2)).step();

        assertThat(run.engine.abort(2)).isTrue();

        assertThat(run.engine.stats().waiting()).isZero();
    }

    @Test
    void aSlowEnginePrefillsSlowerButDecodesAsFast() {
        var run = new VirtualRun(BIG.withSpeed(4, 1));
        run.submit(request(1, 7, 512, 2)).drain();

        double decode = StepTime.decodeMs(8.0 / BIG.kvBlocks());
        assertThat(run.tokens(1).get(0).atMs()).isCloseTo(4 * StepTime.prefillMs(512) + decode, within(1e-6));
        assertThat(run.tokens(1).get(1).atMs() - run.tokens(1).get(0).atMs()).isCloseTo(decode, within(0.01));
    }

    @Test
    void theSpeedUpDividesAllTimes() {
        var run = new VirtualRun(BIG);
        var fast = new VirtualRun(BIG.withSpeed(1, 100));
        run.submit(request(1, 7, 10_000, 50)).drain();
        fast.submit(request(1, 7, 10_000, 50)).drain();

        assertThat(fast.nowMs() * 100).isCloseTo(run.nowMs(), within(1e-6));
    }

    @Test
    void aTokenThatStandsForSeveralTakesTheirTime() {
        var whole = new VirtualRun(EngineSettings.DEFAULT);
        var scaled = new VirtualRun(EngineSettings.DEFAULT.withTokenScale(16));
        whole.submit(new EngineRequest(1, Passage.ofTrace(8_000, new long[0], 161)))
                .drain();
        scaled.submit(new EngineRequest(1, Passage.ofTrace(500, new long[0], 11)))
                .drain();

        assertThat(scaled.tokens(1).getFirst().atMs())
                .isCloseTo(whole.tokens(1).getFirst().atMs(), within(1e-6));
        assertThat(scaled.nowMs()).isCloseTo(whole.nowMs(), withinPercentage(0.5));
    }

    @Test
    void aRequestThatCanNeverFitIsRefused() {
        var run = new VirtualRun(pool(4));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> run.submit(request(1, 1, 10, 7)))
                .withMessageContaining("at most 16");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void underAnyLoadEveryRequestGetsItsTokensAndAllBlocksComeBack(long seed) {
        var random = new Random(seed);
        var run = new VirtualRun(new EngineSettings(30, VirtualRun.BLOCK, 8, 32, 1, 1, 1));
        var expected = new int[400];
        Set<Integer> aborted = new HashSet<>();
        for (int id = 0; id < expected.length; id++) {
            expected[id] = 1 + random.nextInt(40);
            run.submit(request(id, random.nextInt(20), 1 + random.nextInt(80), expected[id]));
            for (int steps = random.nextInt(20); steps > 0 && run.engine.nextEventMs() < 1e18; steps--) {
                run.step();
            }
            int victim = random.nextInt(id + 1);
            if (random.nextInt(10) == 0 && run.engine.abort(victim)) {
                aborted.add(victim);
            }
        }
        run.drain();

        for (int id = 0; id < expected.length; id++) {
            if (!aborted.contains(id)) {
                assertThat(run.tokens(id))
                        .extracting(EngineEvent.Token::index)
                        .containsExactlyElementsOf(upTo(expected[id]));
            }
        }
        assertThat(aborted).isNotEmpty();
        assertThat(run.engine.stats().totals().preemptions()).isPositive();
        assertThat(run.engine.stats().activeBlocks()).isZero();
        assertThat(run.engine.stats().cachedBlocks()).isBetween(1, 30);
    }

    private static Iterable<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }
}
