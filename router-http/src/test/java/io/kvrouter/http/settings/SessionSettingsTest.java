package io.kvrouter.http.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.booking.SessionMode;
import io.kvrouter.http.settings.SessionSource.BodyField;
import io.kvrouter.http.settings.SessionSource.HeaderField;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionSettingsTest {
    private static final String MODE = "kvrouter.session-mode";
    private static final String SOURCES = "kvrouter.session-sources";

    @Test
    void aSessionIsSoftUnlessSaidOtherwise() {
        assertThat(read(Map.of()).mode("m")).isEqualTo(SessionMode.SOFT);
        assertThat(read(Map.of()).pins("m")).isTrue();
    }

    @ParameterizedTest
    @EnumSource(value = SessionMode.class, mode = EnumSource.Mode.EXCLUDE, names = "SPILL")
    void aModeIsSetByItsName(SessionMode mode) {
        assertThat(read(Map.of(MODE, mode.text())).mode("m")).isEqualTo(mode);
    }

    @Test
    void aModelMayHaveAModeOfItsOwn() {
        var sessions = read(Map.of(MODE, "off", "kvrouter.session-mode-per-model.\"org/m.1\"", "hard"));

        assertThat(sessions.mode("org/m.1")).isEqualTo(SessionMode.HARD);
        assertThat(sessions.pins("org/m.1")).isTrue();
        assertThat(sessions.pins("m")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "kvrouter.session-mode, spill, is not there yet",
        "kvrouter.session-mode, SOFT, 'expected: soft, hard or off'",
        "kvrouter.session-mode, sticky, 'expected: soft, hard or off'",
        "kvrouter.session-mode-per-model.\"m\", spill, is not there yet",
        "kvrouter.session-fingerprint, maybe, BOOLEAN",
    })
    void whatCannotBeUsedIsRefusedByItsKey(String key, String value, String why) {
        assertThatThrownBy(() -> read(Map.of(key, value)))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith(key + ": ")
                .hasMessageContaining(why);
    }

    @Test
    void sourcesAreAListInItsOrder() {
        assertThat(read(Map.of(SOURCES, "body.a.b, X-Id, x-s + x-a")).sources())
                .containsExactly(
                        new BodyField("a.b"),
                        new HeaderField("X-Id", Optional.empty()),
                        new HeaderField("x-s", Optional.of("x-a")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"body.", "body.a..b", "x id", "a+b+c", "+a", "x:y", "body.messages", "body.prompt.x"})
    void aSourceThatCannotBeIsRefused(String source) {
        assertThatThrownBy(() -> read(Map.of(SOURCES, source)))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith(SOURCES + ": ");
    }

    @Test
    void nobodyIsAConversationUnlessConfigured() {
        assertThat(read(Map.of()).bodyPaths()).doesNotContain("user", "safety_identifier");
        assertThat(read(Map.of(SOURCES, "body.user")).bodyPaths()).containsExactly("user");
    }

    private static SessionSettings read(Map<String, String> flags) {
        return NodeSettings.read(ConfigSources.load(flags, Map.of(), Optional.empty()))
                .sessions();
    }
}
