package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.ANY;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.BusyThresholds;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.selection.Policy;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.SelectionSettings;
import io.kvrouter.selection.TestFleets;
import org.junit.jupiter.api.Test;

class HerdTest {
    @Test
    void sweep() {
        for (int nodes : new int[] {4, 16}) {
            for (int lag : new int[] {0, 25, 60}) {
                for (double width : new double[] {0, 0.25, 0.5, 1, 2, 3}) {
                    System.out.println(nodes + " nodes lag " + lag + " width " + width + ": "
                            + new Herd(nodes, lag, settings(Policy.KV, width)).run());
                }
            }
        }
        System.out.println("rr " + new Herd(4, 0, settings(Policy.ROUND_ROBIN, 0)).run() + " random "
                + new Herd(4, 0, settings(Policy.RANDOM, 0)).run());
    }

    static SelectionSettings settings(Policy policy, double width) {
        return new SelectionSettings(policy, CostFactors.DEFAULT, BusyThresholds.NONE, width);
    }
}
