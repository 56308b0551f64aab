package io.kvrouter.cluster.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BindingSettingsTest {
    @Test
    void haveDefaults() {
        var settings = BindingSettings.of(ConfigFactory.load());

        assertThat(settings.sweep()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.skew()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void anIntervalOfZeroIsRefusedByItsName() {
        var config = ConfigFactory.parseString("kvrouter.bindings.sweep-interval = 0 s")
                .withFallback(ConfigFactory.load());

        assertThatThrownBy(() -> BindingSettings.of(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kvrouter.bindings.sweep-interval");
    }

    @Test
    void theFloorIsTheSameForClocksOfOneInterval() {
        var settings = BindingSettings.of(ConfigFactory.load());

        assertThat(BindingSweep.floor(1_000_000, settings)).isEqualTo(990_000);
        assertThat(BindingSweep.floor(1_009_999, settings)).isEqualTo(990_000);
        assertThat(BindingSweep.floor(1_010_000, settings)).isEqualTo(1_000_000);
    }

    @Test
    void theOverridesThatThisPartNeedsOfPekkoAreInOneFile() {
        var config = ConfigFactory.parseResources("kvrouter-session-overrides.conf");

        assertThat(config.getString("pekko.cluster.sharding.passivation.strategy"))
                .isEqualTo("none");
        assertThat(config.getInt("pekko.cluster.sharding.number-of-shards")).isEqualTo(128);
    }
}
