package io.kvrouter.bench.fleet.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.bench.workload.BlockRun;
import io.kvrouter.bench.workload.SessionTurn;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnTextTest {
    private static final LanesShape SHAPE = new LanesShape(1, 1, 16, 10, 10, true, 1);
    /** Four tokens of four bytes. */
    private static final int BLOCK = 16;

    private final TurnText text = new TurnText(SHAPE, 7);

    @Test
    void hasAsManyBlocksAsTheSessionAndAsManyTokensByScale() {
        byte[] prompt = text.prompt(turn(200, new BlockRun(0, 3)));

        assertThat(prompt).hasSize(12 * 4);
        assertThat(text.promptTokens(turn(200, new BlockRun(0, 3)))).isEqualTo(12);
    }

    @Test
    void equalBlocksHaveEqualTextAndOthersHaveNot() {
        byte[] first = text.prompt(turn(256, new BlockRun(0, 3)));
        byte[] second = text.prompt(turn(256, new BlockRun(0, 2), new BlockRun(9, 1)));

        assertThat(Arrays.copyOf(second, 2 * BLOCK)).isEqualTo(Arrays.copyOf(first, 2 * BLOCK));
        assertThat(second[2 * BLOCK]).isNotEqualTo((byte) 0);
        assertThat(Arrays.copyOfRange(second, 2 * BLOCK, 3 * BLOCK))
                .isNotEqualTo(Arrays.copyOfRange(first, 2 * BLOCK, 3 * BLOCK));
        assertThat(Arrays.copyOfRange(second, 3 * BLOCK, 4 * BLOCK))
                .as("what is in no block is in no other prompt")
                .isNotEqualTo(Arrays.copyOfRange(first, 3 * BLOCK, 4 * BLOCK));
    }

    @Test
    void anotherSessionsBlocksAreOthers() {
        var other = new TurnText(SHAPE, 8);
        var turn = turn(64, new BlockRun(0, 1));

        assertThat(other.prompt(turn)).isNotEqualTo(text.prompt(turn));
    }

    @Test
    void whatSessionsShareHasTheSameTextInAll() {
        var other = new TurnText(SHAPE, 8);
        var turn = turn(64, new BlockRun(1 << 30, 1));

        assertThat(other.prompt(turn)).isEqualTo(text.prompt(turn));
    }

    @Test
    void namesItsSessionUnlessItIsToldNotTo() {
        var unnamed = new TurnText(new LanesShape(1, 1, 16, 10, 10, false, 1), 7);
        var turn = turn(64, new BlockRun(0, 1));

        assertThat(new String(text.of(turn, "s1"), StandardCharsets.US_ASCII)).contains("x-session-id: s1\r\n");
        assertThat(new String(unnamed.of(turn, "s1"), StandardCharsets.US_ASCII))
                .doesNotContain("s1");
    }

    private static SessionTurn turn(int tokens, BlockRun... blocks) {
        return new SessionTurn(List.of(blocks), tokens, 100, 0);
    }
}
