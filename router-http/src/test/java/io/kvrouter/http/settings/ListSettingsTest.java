package io.kvrouter.http.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.cluster.membership.HostAndPort;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists from a flag or a variable, which are one text. */
class ListSettingsTest {
    private static final String ORIGINS = "kvrouter.cors.origins";

    @ParameterizedTest
    @ValueSource(
            strings = {"[\"https://a\",\"https://b\"]", " [ \"https://a\", \"https://b\" ] ", "https://a, https://b"})
    void areWrittenAsInAFileOrWithCommas(String text) {
        assertThat(origins(Map.of(ORIGINS, text), Map.of())).containsExactlyInAnyOrder("https://a", "https://b");
        assertThat(origins(Map.of(), Map.of("KVROUTER_CORS_ORIGINS", text)))
                .containsExactlyInAnyOrder("https://a", "https://b");
    }

    @Test
    void mayBeEmpty() {
        assertThat(origins(Map.of(ORIGINS, "[]"), Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"https://a\", https://b]", "[\"https://a]"})
    void thatAreBrokenAreRefusedByTheirKeyAndNotShown(String text) {
        assertThatThrownBy(() -> origins(Map.of(ORIGINS, text), Map.of()))
                .isInstanceOf(SettingException.class)
                .hasMessage(ORIGINS + ": not a list (expected: [\"A\", \"B\"], or A,B)");
    }

    @Test
    void ofAddressesInBracketsStayWhatTheyWere() {
        var config = ConfigSources.load(Map.of("kvrouter.join", "[::1]:1,[::2]:2"), Map.of(), Optional.empty());

        assertThat(NodeSettings.read(config).join().seeds())
                .containsExactly(new HostAndPort("[::1]", 1), new HostAndPort("[::2]", 2));
    }

    private static Set<String> origins(Map<String, String> flags, Map<String, String> environment) {
        return ApiSettings.from(ConfigSources.load(flags, environment, Optional.empty()))
                .crossOrigin()
                .origins();
    }
}
