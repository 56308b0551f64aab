package io.kvrouter.http.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        "kvrouter.http2-port, 70000",
        "kvrouter.api-server.http2.max-streams, 0",
        "kvrouter.api-server.http2.max-streams, 9000",
        "kvrouter.api-server.http2.max-resets, 0",
        "kvrouter.api-server.max-body-size, 0",
        "kvrouter.api-server.max-body-size, 2 GiB",
        "kvrouter.cors.origins, example.org",
        "kvrouter.cors.origins, https://example.org/page",
        "kvrouter.cors.max-age, -1s",
        "'kvrouter.model-aliases.\"a\"', ' '",
    })
    void aSettingThatCannotBeUsedIsOneLineThatStartsWithItsKey(String key, String value) {
        assertThatThrownBy(() -> NodeSettings.read(load(Map.of(key, value))))
                .isInstanceOf(SettingException.class)
                .message()
                .startsWith(key + ": ")
                .hasLineCount(1);
    }

    @Test
    void aPortForHttp2IsThereIfItIsSet() {
        assertThat(NodeSettings.read(load(Map.of("kvrouter.http2-port", "30002")))
                        .ports()
                        .http2())
                .hasValue(30002);
    }

    private static Config load(Map<String, String> flags) {
        return ConfigSources.load(flags, Map.of(), Optional.empty());
    }
}
