package io.kvrouter.session.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SweepFloorTest {
    @Test
    void isTheSameForClocksOfOneInterval() {
        var floor = new SweepFloor(10_000, 10_000);

        assertThat(floor.at(1_000_000)).isEqualTo(990_000);
        assertThat(floor.at(1_009_999)).isEqualTo(990_000);
        assertThat(floor.at(1_010_000)).isEqualTo(1_000_000);
    }

    @Test
    void refusesAnIntervalOfZero() {
        assertThatThrownBy(() -> new SweepFloor(0, 0)).hasMessageContaining("every 0 ms");
    }
}
