package io.kvrouter.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InfiniteCacheTest {
    private final InfiniteCache cache = new InfiniteCache();

    @Test
    void aFirstPromptHitsNothing() {
        assertThat(cache.hit(turn(200, new BlockRun(0, 3)))).isZero();
    }

    @Test
    void aLaterPromptHitsTheBlocksThatItBeginsWith() {
        cache.hit(turn(200, new BlockRun(0, 3)));

        assertThat(cache.hit(turn(400, new BlockRun(0, 2), new BlockRun(7, 4)))).isEqualTo(128);
    }

    @Test
    void theLastTokenIsComputed() {
        cache.hit(turn(192, new BlockRun(0, 3)));

        assertThat(cache.hit(turn(192, new BlockRun(0, 3)))).isEqualTo(128);
    }

    @Test
    void aBlockBehindAnotherOneIsAnotherBlock() {
        cache.hit(turn(200, new BlockRun(0, 3)));
        cache.hit(turn(200, new BlockRun(5, 1)));

        assertThat(cache.hit(turn(200, new BlockRun(5, 1), new BlockRun(1, 2)))).isEqualTo(64);
    }

    @Test
    void whatSessionsShareIsHitByAllOfThem() {
        var shared = new BlockRun(BlockRun.FIRST_SHARED, 2);
        cache.hit(turn(200, shared, new BlockRun(0, 1)));
        var other = new InfiniteCache(cache);

        assertThat(other.hit(turn(400, shared, new BlockRun(0, 3)))).isEqualTo(128);
    }

    private static SessionTurn turn(int tokens, BlockRun... blocks) {
        return new SessionTurn(List.of(blocks), tokens, 1, 0);
    }
}
