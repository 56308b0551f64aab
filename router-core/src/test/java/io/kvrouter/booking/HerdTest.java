package io.kvrouter.booking;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.selection.BusyThresholds;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.selection.Policy;
import io.kvrouter.selection.SelectionSettings;
import org.junit.jupiter.api.Test;

/** Many nodes that select at once, with views of each other's load that are 60 ms old; see {@link Herd}. */
class HerdTest {
    private static final int LAG_MS = 60;
    private static final double EXACT = 0;
    private static final double NEAR = SelectionSettings.DEFAULT_NEAR_EQUAL;

    private static double busiest(int nodes, int lagMs, Policy policy, double nearEqual) {
        var settings = new SelectionSettings(policy, CostFactors.DEFAULT, BusyThresholds.NONE, nearEqual);
        return new Herd(nodes, lagMs, settings).busiestAgainstMean();
    }

    @Test
    void withAPerfectViewTheLoadIsEven() {
        assertThat(busiest(16, 0, Policy.KV, EXACT)).isLessThan(1.25);
        assertThat(busiest(16, 0, Policy.KV, NEAR)).isLessThan(1.25);
    }

    @Test
    void nodesThatAllTakeTheCheapestRunToTheSameWorkers() {
        assertThat(busiest(16, LAG_MS, Policy.KV, EXACT))
                .isGreaterThan(1.8)
                .isGreaterThan(busiest(16, 0, Policy.ROUND_ROBIN, EXACT));
    }

    @Test
    void nodesThatTakeAnyOfThoseAsGoodAsTheCheapestDoNot() {
        assertThat(busiest(16, LAG_MS, Policy.KV, NEAR))
                .isLessThan(1.6)
                .isLessThan(busiest(16, 0, Policy.ROUND_ROBIN, EXACT));
        assertThat(busiest(32, LAG_MS, Policy.KV, NEAR)).isLessThan(1.6);
    }

    @Test
    void fewNodesAreHelpedToo() {
        assertThat(busiest(4, LAG_MS, Policy.KV, NEAR))
                .isLessThan(1.4)
                .isLessThan(busiest(4, LAG_MS, Policy.KV, EXACT));
    }
}
