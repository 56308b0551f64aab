package io.kvrouter.http.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import io.kvrouter.cluster.membership.HostAndPort;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.selection.SelectionSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void theDefaultsAreASingleNodeOnLoopback() {
        var settings = NodeSettings.read(load(Map.of(), Map.of()));

        assertThat(settings.ports()).isEqualTo(ports(30000, 7626, 17355));
        assertThat(settings.join()).isEqualTo(new NodeSettings.Join(List.of(), 0));
        assertThat(settings.workers()).isEmpty();
        assertThat(settings.sessions().ttl()).isEqualTo(Duration.ofMinutes(30));
        assertThat(settings.routing().selection()).isEqualTo(SelectionSettings.DEFAULT);
    }

    @Test
    void listsMayBeOneTextWithCommas() {
        var settings = NodeSettings.read(load(
                Map.of("kvrouter.join", "a:1, b:9"), Map.of("KVROUTER_WORKER_URLS", "http://W1:8000/, https://w2,")));

        assertThat(settings.join().seeds()).containsExactly(new HostAndPort("a", 1), new HostAndPort("b", 9));
        assertThat(settings.workers()).containsExactly(URI.create("http://w1:8000"), URI.create("https://w2:443"));
    }

    @Test
    void aModelsDirectoryIsGivenByItsName() {
        var settings = NodeSettings.read(
                load(Map.of("kvrouter.models.\"qwen3-0.6b\".directory", directory.toString()), Map.of()));

        assertThat(settings.routing().tokens().directories()).containsExactly(Map.entry("qwen3-0.6b", directory));
    }

    @Test
    void aModelsDirectoryMustBeThere() {
        var missing = Map.of(
                "kvrouter.models.\"qwen3-0.6b\".directory",
                directory.resolve("none").toString());

        assertThatThrownBy(() -> NodeSettings.read(load(missing, Map.of())))
                .isInstanceOf(SettingException.class)
                .hasMessage("kvrouter.models.\"qwen3-0.6b\".directory: " + directory.resolve("none")
                        + " (expected: a model's directory)");
    }

    @Test
    void nothingElseIsSetOfAModel() {
        var unknown = Map.of("kvrouter.models.m.folder", directory.toString());

        assertThatThrownBy(() -> NodeSettings.read(load(unknown, Map.of())))
                .isInstanceOf(SettingException.class)
                .hasMessage("kvrouter.models.\"m\".folder: no such setting");
    }

    @Test
    void costFactorsAndBusyThresholdsComeFromAllSources() {
        var selection = NodeSettings.read(load(
                        Map.of("kvrouter.cost.temperature", "0.5"),
                        Map.of("KVROUTER_COST_OVERLAP_CREDIT", "2", "KVROUTER_BUSY_REQUESTS", "64")))
                .routing()
                .selection();

        assertThat(selection.factors())
                .isEqualTo(CostFactors.DEFAULT.with("temperature", 0.5).with("overlap-credit", 2));
        assertThat(selection.thresholds().requests()).hasValue(64);
        assertThat(selection.thresholds().prefillTokens()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "kvrouter.api-port, 65536",
        "kvrouter.api-port, -1",
        "kvrouter.remoting-port, x",
        "kvrouter.management-port, 1.5",
        "kvrouter.host, ' '",
        "kvrouter.policy, fastest",
        "kvrouter.recent-choices, 0s",
        "kvrouter.cost.decay, -1",
        "kvrouter.cost.temperature, NaN",
        "kvrouter.cost.warmth, 1",
        "kvrouter.busy.prefill-tokens, 1.5",
        "kvrouter.admission.requests, 0",
        "kvrouter.admission.requests-per-worker, 1.5",
        "kvrouter.admission.queue-timeout, 0s",
        "kvrouter.busy.decode-fraction, -0.1",
        "kvrouter.worker-urls, w1:8000",
        "kvrouter.worker-urls, ftp://w1",
        "kvrouter.worker-urls, http://w1:99999",
        "kvrouter.worker-urls, http://w 1",
        "kvrouter.worker-urls, http://w1?x=1",
        "kvrouter.join, a:b",
        "kvrouter.join, ::1",
        "kvrouter.join, a",
        "kvrouter.join, 'a:1,b'",
        "kvrouter.expected-nodes, 3",
        "kvrouter.max-attempts, 0",
        "kvrouter.health-check-interval, 0s",
        "kvrouter.health-check-timeout, 0s",
        "kvrouter.health-check-failures, 0",
        "kvrouter.session-ttl, -1s",
        "kvrouter.session-ttl, NaN",
        "kvrouter.session-ttl, 366d",
        "kvrouter.session-ttl, 99999999999999999d",
        "kvrouter.session-ttl, soon",
        "kvrouter.session-affinity-ttl-s, -1",
        "kvrouter.session-affinity-ttl-s, NaN",
        "kvrouter.session-affinity-ttl-s, 1e300",
        "kvrouter.session-affinity-ttl-s, 30m",
        "kvrouter.session-decision-budget, -1ms",
        "kvrouter.upstream.connect-timeout, 0s",
        "kvrouter.upstream.max-idle, many",
        "kvrouter.shutdown.grace, 40s",
        "kvrouter.session-tll, 1s",
        "kvrouter.upstream.nothing, 1",
    })
    void aSettingThatCannotBeUsedIsOneLineThatStartsWithItsKey(String key, String value) {
        assertThatThrownBy(() -> NodeSettings.read(load(Map.of(key, value), Map.of())))
                .isInstanceOf(SettingException.class)
                .message()
                .startsWith(key + ": ")
                .hasLineCount(1);
    }

    @Test
    void aWorkersKeyIsNotInTheMessage() {
        var flags = Map.of("kvrouter.worker-urls", "http://user:secret@w1");

        assertThatThrownBy(() -> NodeSettings.read(load(flags, Map.of())))
                .isInstanceOf(SettingException.class)
                .message()
                .doesNotContain("secret");
    }

    @Nested
    class Ttl {
        @ParameterizedTest
        @CsvSource({"0, 0", "0s, 0", "2s, 2000", "1500ms, 1500", "365d, 31536000000"})
        void isADuration(String text, long ms) {
            assertThat(ttl(Map.of("kvrouter.session-ttl", text), Map.of()).ttl())
                    .isEqualTo(Duration.ofMillis(ms));
        }

        @ParameterizedTest
        @CsvSource({"0, 0", "1800, 1800000", "0.5, 500"})
        void isANumberOfSecondsUnderItsOtherName(String text, long ms) {
            var sessions = ttl(Map.of(), Map.of("KVROUTER_SESSION_AFFINITY_TTL_S", text));

            assertThat(sessions.ttl()).isEqualTo(Duration.ofMillis(ms));
        }

        @Test
        void ofAModelIsItsOwn() throws Exception {
            var sessions = NodeSettings.read(file("kvrouter.session-ttl-per-model { \"org/m.1\" = 2h, m2 = 0 }"))
                    .sessions();

            assertThat(sessions.ttl("org/m.1")).isEqualTo(Duration.ofHours(2));
            assertThat(sessions.ttl("m2")).isZero();
            assertThat(sessions.ttl("m3")).isEqualTo(Duration.ofMinutes(30));
        }

        @Test
        void ofAModelIsRefusedByItsKey() {
            assertThatThrownBy(() -> NodeSettings.read(file("kvrouter.session-ttl-per-model { \"org/m.1\" = -2h }")))
                    .hasMessageStartingWith("kvrouter.session-ttl-per-model.\"org/m.1\": ");
        }

        @Test
        void underEitherNameFollowsTheOrderOfSources() throws Exception {
            String inFile = "kvrouter.session-affinity-ttl-s = 60";
            var environment = Map.of("KVROUTER_SESSION_TTL", "5m");

            assertThat(sessions(Map.of(), Map.of(), inFile).ttl()).isEqualTo(Duration.ofMinutes(1));
            assertThat(sessions(Map.of(), environment, inFile).ttl()).isEqualTo(Duration.ofMinutes(5));
            assertThat(sessions(Map.of("kvrouter.session-affinity-ttl-s", "7"), environment, inFile)
                            .ttl())
                    .isEqualTo(Duration.ofSeconds(7));
        }

        private SessionSettings ttl(Map<String, String> flags, Map<String, String> environment) {
            return NodeSettings.read(load(flags, environment)).sessions();
        }
    }

    @Nested
    class Sources {
        @Test
        void flagsWinOverEnvironmentOverFileOverDefaults() throws Exception {
            String inFile = "kvrouter { api-port = 1, management-port = 2, remoting-port = 3 }";

            var config = load(
                    Map.of("kvrouter.api-port", "10"),
                    Map.of("KVROUTER_API_PORT", "20", "KVROUTER_MANAGEMENT_PORT", "21"),
                    Optional.of(write(inFile)));

            assertThat(NodeSettings.read(config).ports()).isEqualTo(ports(10, 21, 3));
        }

        @Test
        void aFileMayReferToTheEnvironmentToItselfAndToDefaults() throws Exception {
            var config = file("""
                    name = "10.0.0.1"
                    kvrouter { host = ${name}, management-host = ${kvrouter.host}, api-port = ${?NOT_SET_ANYWHERE} }
                    """);

            var ports = NodeSettings.read(config).ports();
            assertThat(ports.managementHost()).isEqualTo("10.0.0.1");
            assertThat(ports.api()).isEqualTo(30000);
        }

        @Test
        void defaultsThatReferToASettingFollowIt() throws Exception {
            var config = file("kvrouter.shutdown.drain = 5m");

            assertThat(config.getDuration("pekko.coordinated-shutdown.phases.service-requests-done.timeout"))
                    .isEqualTo(Duration.ofMinutes(5));
            assertThat(NodeSettings.read(config)).isNotNull();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"kvrouter.session-tll = 1s", "kvrouter { upstream { idle = 1 } }", "kvrouter.join.a = 1"})
        void aKeyThatDoesNotExistIsRefusedByName(String text) {
            assertThatThrownBy(() -> file(text))
                    .isInstanceOf(SettingException.class)
                    .hasMessageStartingWith("kvrouter.")
                    .hasMessageEndingWith(": no such setting");
        }

        @ParameterizedTest
        @ValueSource(strings = {"kvrouter = 5", "kvrouter {", "kvrouter.host = ${nothing.of.that.name}"})
        void aFileThatCannotBeUsedIsOneLine(String text) {
            assertThatThrownBy(() -> file(text))
                    .isInstanceOf(SettingException.class)
                    .message()
                    .startsWith("--config: ")
                    .hasLineCount(1);
        }

        @Test
        void aFileThatIsNotThereIsOneLine() {
            var missing = Optional.of(directory.resolve("none.conf"));

            assertThatThrownBy(() -> load(Map.of(), Map.of(), missing))
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("none.conf can't be read");
        }
    }

    private static NodeSettings.Ports ports(int api, int management, int remoting) {
        return new NodeSettings.Ports("127.0.0.1", api, OptionalInt.empty(), "127.0.0.1", management, remoting);
    }

    private static Config load(Map<String, String> flags, Map<String, String> environment) {
        return load(flags, environment, Optional.empty());
    }

    private static Config load(Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
        return ConfigSources.load(flags, environment, file);
    }

    private Config file(String text) throws IOException {
        return load(Map.of(), Map.of(), Optional.of(write(text)));
    }

    private SessionSettings sessions(Map<String, String> flags, Map<String, String> environment, String text)
            throws IOException {
        return NodeSettings.read(load(flags, environment, Optional.of(write(text))))
                .sessions();
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("node.conf"), text);
    }
}
