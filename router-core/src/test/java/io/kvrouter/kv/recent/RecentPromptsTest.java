package io.kvrouter.kv.recent;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.Chain;
import io.kvrouter.kv.index.Overlaps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentPromptsTest {
    private static final long A = 7;
    private static final long[] CHAIN = {11, 12, 13, 14};
    private static final long[] OTHER = {21, 22, 23, 24};

    private final RecentPrompts recent = new RecentPrompts(1_000);

    @Test
    void aPromptThatWasSentToAWorkerOverlapsThereAtOnce() {
        remember(CHAIN, 100, 0);

        assertThat(overlap(CHAIN)).isEqualTo(4);
        assertThat(overlap(11, 12, 99)).isEqualTo(2);
        assertThat(overlap(8, CHAIN)).isZero();
    }

    @Test
    void promptsAreForgottenAfterDisuse() {
        remember(CHAIN, 100, 0);
        remember(new long[] {11, 12}, 100, 500);

        recent.sweep(1_200);
        assertThat(overlap(CHAIN)).isEqualTo(2);
        recent.sweep(1_501);
        assertThat(overlap(CHAIN)).isZero();
    }

    @Test
    void aPromptThatIsSentAgainIsUsedAgain() {
        remember(CHAIN, 100, 0);
        remember(CHAIN, 100, 900);

        recent.sweep(1_500);

        assertThat(overlap(CHAIN)).isEqualTo(4);
        assertThat(recent.size()).isEqualTo(4);
    }

    @Test
    void aWorkerRemembersNoMoreThanItsCacheHolds() {
        remember(CHAIN, 6, 0);
        remember(OTHER, 6, 1);

        assertThat(overlap(OTHER)).isEqualTo(4);
        assertThat(overlap(CHAIN)).isZero();
        assertThat(recent.size()).isEqualTo(4);
    }

    @Test
    void aWorkerThatIsGoneTakesItsMemoryAlong() {
        remember(CHAIN, 100, 0);

        recent.retain(worker -> worker != A);

        assertThat(recent.size()).isZero();
        assertThat(overlap(CHAIN)).isZero();
    }

    @Test
    void whatIsRememberedIsThatOfANaiveModel() {
        var random = new Random(1);
        Map<List<Long>, Long> naive = new LinkedHashMap<>(); // prompts and their last use
        for (long now = 0; now < 20_000; now += random.nextInt(20)) {
            long time = now;
            recent.sweep(now);
            naive.values().removeIf(use -> use < time - 1_000);
            long[] chain = chain(random);
            assertThat(overlap(chain)).isEqualTo(walk(naive, chain));
            if (random.nextInt(3) > 0) {
                remember(chain, 10_000, now);
                naive.put(LongStream.of(chain).boxed().toList(), now);
            }
            assertThat(recent.size())
                    .isEqualTo(naive.keySet().stream()
                            .flatMap(List::stream)
                            .distinct()
                            .count());
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

    private static int walk(Map<List<Long>, Long> naive, long[] chain) {
        var known = naive.keySet().stream().flatMap(List::stream).distinct().toList();
        int length = 0;
        while (length < chain.length && known.contains(chain[length])) {
            length++;
        }
        return length;
    }

    private void remember(long[] chain, long capacity, long now) {
        recent.remember(A, Chain.of(chain), capacity, now);
    }

    private int overlap(long... chain) {
        return overlap(A, chain);
    }

    private int overlap(long worker, long[] chain) {
        var overlaps = new Overlaps();
        recent.prompts().overlaps(Chain.of(chain).marks(), overlaps);
        return overlaps.device(recent.of(worker).number());
    }
}
