package io.kvrouter.http.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.kvrouter.http.server.ApiServerSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsOfPekkoTest {
    private static final String REQUESTS_DONE = "pekko.coordinated-shutdown.phases.service-requests-done.timeout";

    @Test
    void aPhaseOfTheShutdownLastsAsLongAsAFlagLetsItDrain() {
        Config config = ConfigSources.load(Map.of("kvrouter.shutdown.drain", "90s"), Map.of(), Optional.empty());

        assertThat(config.getDuration(REQUESTS_DONE)).isEqualTo(Duration.ofSeconds(90));
        assertThat(ApiServerSettings.from(config).drain()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void aPhaseOfTheShutdownLastsAsLongAsTheEnvironmentLetsItDrain() {
        Config config = ConfigSources.load(Map.of(), Map.of("KVROUTER_SHUTDOWN_DRAIN", "2m"), Optional.empty());

        assertThat(config.getDuration(REQUESTS_DONE)).isEqualTo(Duration.ofMinutes(2));
    }
}
