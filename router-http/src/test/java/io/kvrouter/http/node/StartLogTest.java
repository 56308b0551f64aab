package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.kvrouter.http.access.AccessSettings;
import io.kvrouter.http.settings.ConfigSources;
import io.kvrouter.http.settings.NodeSettings.Ports;
import io.kvrouter.http.testing.TestAuthority;
import io.kvrouter.http.tls.NodeTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a node says of itself as it starts. */
class StartLogTest {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger log = (Logger) LoggerFactory.getLogger("io.kvrouter");
    private final AppenderBase<ILoggingEvent> ears = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    private final TestAuthority authority = new TestAuthority();
    private final HeldCertificate own = authority.issue("localhost");

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void listen() {
        ears.start();
        log.addAppender(ears);
        log.setLevel(Level.INFO);
        log.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        log.setAdditive(true);
        log.setLevel(null);
        log.detachAppender(ears);
    }

    @Test
    void whoMayUseItAndWhatIsInTheClear() throws Exception {
        try (var router = TestRouter.start(Map.of())) {
            assertThat(router.apiPort()).isPositive();
        }

        assertThat(lines)
                .contains(
                        "INFO no API keys: anyone who can connect to the API port may use it; no operators' keys:"
                                + " anyone who can connect to the management port may use it",
                        "INFO API: HTTP in the clear; management port: HTTP in the clear; between nodes (remoting):"
                                + " in the clear")
                .noneMatch(line -> line.startsWith("WARN"));
    }

    @Test
    void whatIsTls() throws Exception {
        Map<String, String> tls = new HashMap<>(tls("api"));
        tls.putAll(tls("management"));
        tls.putAll(tls("remoting"));
        tls.remove("kvrouter.tls.management.ca");

        try (var router = TestRouter.start(tls)) {
            assertThat(router.apiPort()).isPositive();
        }

        assertThat(lines)
                .contains("INFO API: HTTPS with client certificates; management port: HTTPS; between nodes (remoting):"
                        + " TLS");
    }

    private Map<String, String> tls(String face) throws IOException {
        String section = "kvrouter.tls." + face;
        return Map.of(
                section + ".certificate",
                        TestAuthority.certificate(directory, own).toString(),
                section + ".key", TestAuthority.key(directory, own).toString(),
                section + ".ca", authority.ca(directory).toString());
    }

    @Test
    void thatPortsBeyondLoopbackAreOpenToAnyone() {
        told(Map.of());

        assertThat(lines)
                .contains(
                        "WARN anyone who reaches 10.0.0.1 may use the API: give callers keys"
                                + " (kvrouter.access.keys-file)",
                        "WARN anyone who reaches 10.0.0.2 may change the workers by the management port: give"
                                + " operators keys (kvrouter.access.keys-file), or bind it to loopback"
                                + " (kvrouter.management-host)");
    }

    @Test
    void andNothingOfThoseThatAskForCertificates() throws Exception {
        Map<String, String> tls = new HashMap<>(tls("api"));
        tls.putAll(tls("management"));

        told(tls);

        assertThat(lines).noneMatch(line -> line.startsWith("WARN"));
    }

    private static void told(Map<String, String> tls) {
        var ports = new Ports("10.0.0.1", 1, OptionalInt.empty(), "10.0.0.2", 2, 3);
        NodeAccess.load(new AccessSettings(Optional.empty(), Optional.empty(), Map.of()), Map.of())
                .tell(ports, NodeTls.open(ConfigSources.load(tls, Map.of(), Optional.empty())));
    }

    @Test
    void thatItIsNotInItsJoinList() throws Exception {
        try (var cluster = TestCluster.start(2, Map.of())) {
            eventually("told", () -> lines.stream().anyMatch(line -> line.startsWith("WARN kvrouter.join")));

            assertThat(lines)
                    .filteredOn(line -> line.startsWith("WARN kvrouter.join"))
                    .singleElement()
                    .asString()
                    .contains(
                            "[" + cluster.first().joinAddress() + "]",
                            cluster.node(1).joinAddress());
        }
    }
}
