package io.kvrouter.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.overlap.Overlap;
import org.junit.jupiter.api.Test;

class CostFunctionTest {
    private static final WorkerLoad LOAD = new WorkerLoad(2, 320, 50);

    private final CostFunction costs = new CostFunction(CostFactors.DEFAULT, 160, 0);

    @Test
    void theCostIsWhatIsLeftToPrefillPlusWhatIsDecodedInBlocks() {
        double cost = costs.cost(LOAD, 6, Overlap.onDevice(4), 16);

        assertThat(cost).isEqualTo(320.0 / 16 + 160.0 / 16 - 4 + 50 + 6);
    }

    @Test
    void blocksInHostMemoryAndOnDiskAreCreditedInPart() {
        var overlap = new Overlap(4, 2, 4);

        assertThat(costs.cost(WorkerLoad.NONE, 0, overlap, 16)).isEqualTo(10 - 4 - 1.5 - 1);
        assertThat(costs.cachedTokens(overlap, 16)).isEqualTo(Math.round(6.5 * 16));
    }

    @Test
    void noMoreIsCachedThanThePromptHas() {
        assertThat(costs.cachedTokens(new Overlap(10, 10, 0), 16)).isEqualTo(160);
    }

    @Test
    void creditNeverMakesPrefillNegative() {
        assertThat(costs.cost(WorkerLoad.NONE, 3, new Overlap(10, 10, 0), 16)).isEqualTo(3);
    }

    @Test
    void theCreditOfABusyWorkerDecays() {
        var factors = new CostFactors(1, 1, 0.5, 0.75, 0.25, 0, 0);
        var decaying = new CostFunction(factors, 160, 160);

        double cost = decaying.cost(new WorkerLoad(1, 320, 0), 0, Overlap.onDevice(8), 16);

        // 10 blocks ahead of the idlest, 10 blocks of prompt: the credit is 1 / (1 + 0.5)
        assertThat(cost).isCloseTo(30 - 8 / 1.5, within(1e-9));
    }

    @Test
    void requestsAndPrefillCanBeWeighted() {
        var factors = new CostFactors(2, 1, 0, 0.75, 0.25, 5, 0);

        double cost = new CostFunction(factors, 160, 0).cost(LOAD, 0, Overlap.onDevice(0), 16);

        assertThat(cost).isEqualTo(2 * 30 + 50 + 2 * 5);
    }

    @Test
    void aFactorThatIsNoNumberIsRefusedByName() {
        assertThatThrownBy(() -> CostFactors.DEFAULT.with("temperature", Double.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("temperature")
                .hasMessageContaining("NaN");
    }
}
