package io.kvrouter.http.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** What would be passed over in silence: settings outside {@code kvrouter}, and variables that are none. */
class MisplacedSettingsTest {
    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "session-ttl = 5m | session-ttl: not read at the top (expected: kvrouter.session-ttl)",
                "tls.remoting { certificate = a } | tls: not read at the top (expected: kvrouter.tls)",
                "kvruter { session-ttl = 5m } | kvruter: no such setting (expected: a key under kvrouter or pekko)",
                "x = 1, y = ${x} | y: no such setting (expected: a key under kvrouter or pekko)",
            })
    void aKeyOutsideKvrouterIsRefusedInAFile(String text, String message) {
        assertThatThrownBy(() -> file(text))
                .isInstanceOf(SettingException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "session-ttl, session-ttl: not read at the top (expected: kvrouter.session-ttl)",
        "tls.remoting.ca, tls: not read at the top (expected: kvrouter.tls)",
        "nope, nope: no such setting (expected: a key under kvrouter or pekko)",
    })
    void andOnTheCommandLine(String key, String message) {
        assertThatThrownBy(() -> ConfigSources.load(Map.of(key, "1"), Map.of(), Optional.empty()))
                .isInstanceOf(SettingException.class)
                .hasMessage(message);
    }

    @Test
    void whatPekkoAndTheLoopsReadIsNot() throws Exception {
        var config = file("pekko.loglevel = DEBUG, kvrouter-loops.loops = 1");

        assertThat(config.getString("pekko.loglevel")).isEqualTo("DEBUG");
        assertThat(config.getInt("kvrouter-loops.loops")).isEqualTo(1);
    }

    @Test
    void aNameThatTheFileRefersToIsNoSetting() throws Exception {
        var config = file("a = 1, b = ${a}0, c = 7, kvrouter { api-port = ${b}, management-port = ${?c} }");

        assertThat(config.getInt("kvrouter.api-port")).isEqualTo(10);
        assertThat(config.getInt("kvrouter.management-port")).isEqualTo(7);
    }

    @Test
    void variablesThatAreNoSettingsAreNamed() {
        assertThat(warned(Map.of("KVROUTER_SESION_TTL", "5m", "KVROUTER_NOPE_PORT", "1", "OTHER", "1")))
                .singleElement()
                .asString()
                .contains("KVROUTER_NOPE_PORT, KVROUTER_SESION_TTL")
                .doesNotContain("OTHER", "5m");
    }

    @Test
    void settingsAndTheVariablesOfOthersAreNot() {
        Map<String, String> fine = new HashMap<>();
        for (String name : List.of(
                "KVROUTER_SESSION_TTL",
                "KVROUTER_JAVA_OPTS",
                "KVROUTER_JVM_DIR",
                "KVROUTER_OPERATOR_KEY",
                "KVROUTER_OPERATOR_TLS_CA",
                "KVROUTER_SERVICE_HOST",
                "KVROUTER_SERVICE_PORT",
                "KVROUTER_NODES_SERVICE_PORT_HTTP",
                "KVROUTER_PORT_30000_TCP",
                "KVROUTER_PORT_30000_TCP_ADDR",
                "KVROUTER_NODES_PORT_53_UDP_PROTO")) {
            fine.put(name, "5m");
        }
        fine.put("KVROUTER_PORT", "tcp://10.0.0.1:30000");

        assertThat(warned(fine)).isEmpty();
    }

    /** As it does for a service of the name kvrouter-api. */
    @Test
    void whatKubernetesNamesLikeASettingIsNone() {
        var variables = Map.of("KVROUTER_API_PORT", "tcp://10.0.0.1:80", "KVROUTER_MANAGEMENT_PORT", "7000");

        Config read = ConfigSources.load(Map.of(), variables, Optional.empty());

        assertThat(read.getInt("kvrouter.api-port")).isEqualTo(30_000);
        assertThat(read.getInt("kvrouter.management-port")).isEqualTo(7_000);
        assertThat(warned(variables)).isEmpty();
    }

    private static List<String> warned(Map<String, String> environment) {
        var log = (Logger) LoggerFactory.getLogger(ConfigSources.class.getPackageName());
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            ConfigSources.load(Map.of(), environment, Optional.empty());
        } finally {
            log.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private Config file(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("node.conf"), text);
        return ConfigSources.load(Map.of(), Map.of(), Optional.of(file));
    }
}
