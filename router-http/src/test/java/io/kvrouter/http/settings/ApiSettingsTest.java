package io.kvrouter.http.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApiSettingsTest {
    @Test
    void withoutSettingsThereIsNoAliasAndNoPage() {
        var settings = ApiSettings.from(load(Map.of()));

        assertThat(settings.aliases()).isEmpty();
        assertThat(settings.crossOrigin().origins()).isEmpty();
        assertThat(settings.crossOrigin().maxAge()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void anAliasMayHaveDotsAndSlashes() {
        var settings = ApiSettings.from(load(Map.of("kvrouter.model-aliases.\"gpt-4.1/x\"", "qwen")));

        assertThat(settings.aliases()).containsExactly(Map.entry("gpt-4.1/x", "qwen"));
    }

    @Test
    void anAliasStandsForNoOtherAlias() {
        var aliases = load(Map.of("kvrouter.model-aliases.large", "qwen", "kvrouter.model-aliases.small", "large"));

        assertThatThrownBy(() -> NodeSettings.read(aliases))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith("kvrouter.model-aliases.\"small\": large ");
    }

    private static Config load(Map<String, String> flags) {
        return ConfigSources.load(flags, Map.of(), Optional.empty());
    }
}
