package io.kvrouter.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlushScheduleTest {
    @ParameterizedTest
    @CsvSource({"20,1,20", "20,8,20", "20,16,40", "20,32,80", "20,200,100", "10,16,20", "500,16,500"})
    void theIntervalGrowsWithTheNodesSoThatTheWorkOfEachDoesNot(int configured, int nodes, int expected) {
        assertThat(new FlushSchedule(Duration.ofMillis(configured)).intervalMs(nodes))
                .isEqualTo(expected);
    }
}
