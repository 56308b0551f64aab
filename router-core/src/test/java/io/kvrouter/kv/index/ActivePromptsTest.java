package io.kvrouter.kv.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.kv.BlockHashes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActivePromptsTest {
    private final ActivePrompts active = new ActivePrompts();
    private final Overlaps overlaps = new Overlaps();

    @Test
    void theSamePromptTwiceIsHeldUntilBothEnd() {
        long[] prompt = BlockHashes.chain(new long[] {1, 2, 3});

        assertThat(active.hold(7, prompt)).isEqualTo(3);
        assertThat(active.hold(7, prompt)).isZero();
        assertThat(active.release(7, prompt)).isZero();
        assertThat(active.release(7, prompt)).isEqualTo(3);
    }

    @Test
    void aLongerPromptHoldsOnlyWhatIsNew() {
        assertThat(active.hold(0, BlockHashes.chain(new long[] {1, 2}))).isEqualTo(2);

        assertThat(active.hold(0, BlockHashes.chain(new long[] {1, 2, 3, 4, 5})))
                .isEqualTo(3);
    }

    @Test
    void workersThatHoldNothingHaveNoOverlap() {
        long[] prompt = BlockHashes.chain(new long[] {1, 2, 3});
        active.hold(3, prompt);
        active.overlaps(prompt, overlaps);
        assertThat(overlaps.device(3)).isEqualTo(3);

        active.release(3, prompt);
        active.overlaps(prompt, overlaps);

        assertThat(overlaps.device(3)).isZero();
        assertThat(overlaps.device(1_000)).isZero();
    }

    @Test
    void releasingWhatIsNotHeldIsRefused() {
        assertThatThrownBy(() -> active.release(1, new long[] {5})).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4})
    void countsLikeTheModel(int seed) {
        Random random = new Random(seed);
        int workers = 30;
        List<Map<Long, Integer>> models = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            models.add(new HashMap<>());
        }
        ArrayDeque<Runnable> endings = new ArrayDeque<>();
        for (int step = 0; step < 3_000; step++) {
            String what = "seed " + seed + ", step " + step;
            if (endings.size() < 200 && random.nextInt(3) > 0) {
                int worker = random.nextInt(workers);
                long[] prompt = prompt(random);
                assertThat(active.hold(worker, prompt)).as(what).isEqualTo(count(models.get(worker), prompt, 1));
                Runnable end = () -> assertThat(active.release(worker, prompt))
                        .as(what)
                        .isEqualTo(count(models.get(worker), prompt, -1));
                if (random.nextBoolean()) {
                    endings.addFirst(end);
                } else {
                    endings.addLast(end);
                }
            } else if (!endings.isEmpty()) {
                endings.removeFirst().run();
            }
            checkOverlaps(models, prompt(random), what);
        }
    }

    private void checkOverlaps(List<Map<Long, Integer>> models, long[] asked, String what) {
        active.overlaps(asked, overlaps);
        for (int worker = 0; worker < models.size(); worker++) {
            int held = 0;
            while (held < asked.length && models.get(worker).containsKey(asked[held])) {
                held++;
            }
            assertThat(overlaps.device(worker)).as(what).isEqualTo(held);
        }
    }

    /** How many counts came from or went to 0. */
    private static int count(Map<Long, Integer> model, long[] prompt, int change) {
        int edges = 0;
        for (long block : prompt) {
            int after = model.merge(block, change, Integer::sum);
            edges += after == (change > 0 ? 1 : 0) ? 1 : 0;
            model.remove(block, 0);
        }
        return edges;
    }

    private static long[] prompt(Random random) {
        long[] blocks = new long[random.nextInt(40)];
        int fork = random.nextInt(blocks.length + 1);
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = i < fork ? 0 : random.nextInt(2);
        }
        return BlockHashes.chain(blocks);
    }
}
