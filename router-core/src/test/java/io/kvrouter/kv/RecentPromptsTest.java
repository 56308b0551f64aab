package io.kvrouter.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecentPromptsTest {
    private static final long A = 7;
    private static final long[] CHAIN = {11, 12, 13, 14};

    private final RecentPrompts recent = new RecentPrompts(1_000);

    @Test
    void aPromptThatWasSentToAWorkerOverlapsThereAtOnce() {
        recent.remember(A, CHAIN, 100, 0);

        assertThat(overlap(CHAIN, 0)).isEqualTo(4);
        assertThat(overlap(new long[] {11, 12, 99}, 0)).isEqualTo(2);
        assertThat(recent.of(8).prefixOf(CHAIN)).isZero();
    }

    @Test
    void blocksAreForgottenAfterDisuse() {
        recent.remember(A, CHAIN, 100, 0);
        recent.remember(A, new long[] {11, 12}, 100, 500);

        assertThat(overlap(CHAIN, 1_200)).isEqualTo(2);
        assertThat(overlap(CHAIN, 1_501)).isZero();
    }

    @Test
    void aWorkerRemembersNoMoreThanItsCacheHolds() {
        recent.remember(A, CHAIN, 6, 0);
        recent.remember(A, new long[] {21, 22, 23, 24}, 6, 1);

        assertThat(recent.size()).isEqualTo(6);
        assertThat(overlap(new long[] {21, 22, 23, 24}, 1)).isEqualTo(4);
        assertThat(overlap(CHAIN, 1)).isEqualTo(2);
    }

    @Test
    void aWorkerThatIsGoneTakesItsMemoryAlong() {
        recent.remember(A, CHAIN, 100, 0);

        recent.retain(worker -> worker != A);

        assertThat(recent.size()).isZero();
        assertThat(overlap(CHAIN, 0)).isZero();
    }

    @Test
    void theKnownPrefixIsThatOfAWalkBlockByBlock() {
        var random = new Random(1);
        Map<Long, Long> naive = new LinkedHashMap<>(); // from the least recently used on
        for (long now = 0; now < 20_000; now += random.nextInt(20)) {
            long time = now;
            long[] chain = chain(random);
            naive.values().removeIf(use -> use < time - 1_000);
            assertThat(overlap(chain, now)).isEqualTo(walk(naive, chain));
            if (random.nextInt(3) > 0) {
                recent.remember(A, chain, 300, now);
                rememberNaively(naive, chain, now);
            }
            assertThat(recent.size()).isEqualTo(naive.size());
        }
    }

    /** A path in a tree of prompts: the hash of a block stands for the path to it. */
    private static long[] chain(Random random) {
        long[] chain = new long[random.nextInt(60)];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = (i == 0 ? 17 : chain[i - 1]) * 31 + random.nextInt(i % 8 == 0 ? 3 : 1) + 1;
        }
        return chain;
    }

    private static int walk(Map<Long, Long> known, long[] chain) {
        int length = 0;
        while (length < chain.length && known.containsKey(chain[length])) {
            length++;
        }
        return length;
    }

    private static void rememberNaively(Map<Long, Long> naive, long[] chain, long now) {
        for (int i = chain.length - 1; i >= 0; i--) {
            naive.remove(chain[i]);
            naive.put(chain[i], now);
        }
        List<Long> order = new ArrayList<>(naive.keySet());
        order.subList(0, Math.max(0, order.size() - 300)).forEach(naive::remove);
    }

    private int overlap(long[] chain, long now) {
        return recent.overlap(recent.of(A), chain, now);
    }
}
