package io.kvrouter.sim.engine;

import static io.kvrouter.sim.engine.VirtualRun.pool;
import static io.kvrouter.sim.engine.VirtualRun.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrefixCacheTest {
    @Test
    void aRepeatedPromptHitsAllButItsLastToken() {
        var run = new VirtualRun(pool(16));

        assertThat(run.cachedTokens(request(1, 7, 12, 1))).isZero();
        assertThat(run.cachedTokens(request(2, 7, 12, 1))).isEqualTo(8);
        assertThat(run.cachedTokens(request(3, 7, 13, 1))).isEqualTo(12);
    }

    @Test
    void aLaterTurnHitsThePromptOfTheEarlierOne() {
        var run = new VirtualRun(pool(16));
        run.cachedTokens(request(1, 7, 12, 3));

        assertThat(run.cachedTokens(request(2, 7, 30, 3))).isEqualTo(12);
    }

    @Test
    void anotherConversationHitsNothing() {
        var run = new VirtualRun(pool(16));
        run.cachedTokens(request(1, 7, 12, 1));

        assertThat(run.cachedTokens(request(2, 8, 12, 1))).isZero();
    }

    @Test
    void theTailOfASequenceIsEvictedBeforeItsHead() {
        var run = new VirtualRun(pool(5));
        run.cachedTokens(request(1, 7, 16, 1));
        run.cachedTokens(request(2, 8, 12, 1));

        assertThat(run.cachedTokens(request(3, 7, 17, 1))).isEqualTo(8);
    }

    @Test
    void theLeastRecentlyUsedConversationIsEvictedFirst() {
        var run = new VirtualRun(pool(6));
        run.cachedTokens(request(1, 7, 8, 1));
        run.cachedTokens(request(2, 8, 8, 1));
        run.cachedTokens(request(3, 7, 9, 1));
        run.cachedTokens(request(4, 9, 16, 1));

        assertThat(run.cachedTokens(request(5, 7, 9, 1))).isEqualTo(8);
        assertThat(run.cachedTokens(request(6, 8, 9, 1))).isZero();
    }

    @Test
    void aBlockThatARunningRequestUsesIsNotEvicted() {
        var run = new VirtualRun(pool(8));
        run.submit(request(1, 7, 16, 8)).step();
        run.step();
        run.submit(request(2, 8, 8, 1)).drain();

        assertThat(run.cachedTokens(request(3, 7, 17, 1))).isEqualTo(16);
    }

    @Test
    void equalPromptsAtOnceShareTheirBlocksOnceComputed() {
        var run = new VirtualRun(pool(16));
        run.submit(request(1, 7, 16, 2)).submit(request(2, 7, 16, 2));
        run.step();
        assertThat(run.engine.stats().activeBlocks()).isEqualTo(8);

        run.step();

        int sharedAndOneMoreEach = 4 + 2;
        assertThat(run.engine.stats().activeBlocks()).isEqualTo(sharedAndOneMoreEach);
        run.drain();
        assertThat(run.engine.stats().activeBlocks()).isZero();
    }

    @Test
    void countsQueriesHitsAndEvictions() {
        var run = new VirtualRun(pool(5));
        run.cachedTokens(request(1, 7, 16, 1));
        run.cachedTokens(request(2, 7, 16, 1));
        run.cachedTokens(request(3, 8, 16, 1));

        var totals = run.engine.stats().totals();
        assertThat(totals.queriedTokens()).isEqualTo(48);
        assertThat(totals.hitTokens()).isEqualTo(12);
        assertThat(totals.prefillTokens()).isEqualTo(36);
        assertThat(totals.evictedBlocks()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void agreesWithANaiveModel(long seed) {
        var random = new Random(seed);
        var run = new VirtualRun(pool(40));
        var naive = new NaiveCache(40);
        for (int id = 0; id < 3_000; id++) {
            int prompt = 1 + random.nextInt(100);
            int output = 1 + random.nextInt(20);
            long conversation = random.nextInt(6);
            long[] hashes = hashes(conversation, random.nextInt(30), (prompt + output) / VirtualRun.BLOCK);

            int cached = run.cachedTokens(new EngineRequest(id, Passage.ofTrace(prompt, hashes, output)));

            assertThat(cached).isEqualTo(naive.serve(hashes, prompt, output) * VirtualRun.BLOCK);
            assertThat(run.engine.stats().cachedBlocks()).isEqualTo(naive.idle.size());
        }
        assertThat(run.engine.stats().totals().evictedBlocks()).isPositive();
    }

    /** Conversations that share a first part and then fork. */
    private static long[] hashes(long conversation, int forkAt, int blocks) {
        long[] hashes = new long[blocks];
        long hash = conversation;
        for (int i = 0; i < blocks; i++) {
            hash = BlockHashes.mix(hash, i < forkAt ? 0 : forkAt);
            hashes[i] = hash;
        }
        return hashes;
    }

    /** One request at a time over a plain list, least recently released first. */
    private static final class NaiveCache {
        final List<Long> idle = new ArrayList<>();
        private final int capacity;

        NaiveCache(int capacity) {
            this.capacity = capacity;
        }

        int serve(long[] hashes, int prompt, int output) {
            int hits = 0;
            while (hits < (prompt - 1) / VirtualRun.BLOCK && idle.contains(hashes[hits])) {
                hits++;
            }
            for (int i = 0; i < hits; i++) {
                idle.remove(hashes[i]);
            }
            int computed = prompt + output - 1;
            int held = Math.ceilDiv(computed, VirtualRun.BLOCK);
            int promptBlocks = Math.ceilDiv(prompt, VirtualRun.BLOCK);
            evictDownTo(capacity - promptBlocks);
            adoptTwins(hashes, hits, prompt / VirtualRun.BLOCK);
            for (int grown = promptBlocks + 1; grown <= held; grown++) {
                adoptTwins(hashes, hits, grown - 1);
                evictDownTo(capacity - grown);
            }
            adoptTwins(hashes, hits, computed / VirtualRun.BLOCK);
            for (int i = computed / VirtualRun.BLOCK - 1; i >= 0; i--) {
                idle.add(hashes[i]);
            }
            return hits;
        }

        private void evictDownTo(int room) {
            while (idle.size() > room) {
                idle.removeFirst();
            }
        }

        /** A block computed again though cached (a prompt's last one) takes the cached one's place. */
        private void adoptTwins(long[] hashes, int from, int to) {
            for (int i = from; i < to; i++) {
                idle.remove(hashes[i]);
            }
        }
    }
}
