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
    void theBoundIsSplitOverTheTables() {
        var config = ConfigFactory.parseString("kvrouter.bindings.max-sessions = 16385")
                .withFallback(ConfigFactory.load());

        assertThat(BindingSettings.of(config).maxRows()).isEqualTo(3);
    }

    @Test
    void aBoundThatWouldMakeTablesTooBigIsRefusedByItsName() {
        var config = ConfigFactory.parseString("kvrouter.bindings.max-sessions = 5000000")
                .withFallback(ConfigFactory.load());

        assertThatThrownBy(() -> BindingSettings.of(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kvrouter.bindings.max-sessions");
    }

    @Test
    void theOverridesThatThisPartNeedsOfPekkoAreInOneFile() {
        var config = ConfigFactory.parseResources("kvrouter-session-overrides.conf");

        assertThat(config.getString("pekko.cluster.sharding.passivation.strategy"))
                .isEqualTo("none");
        assertThat(config.getInt("pekko.cluster.sharding.number-of-shards")).isEqualTo(128);
    }
}
