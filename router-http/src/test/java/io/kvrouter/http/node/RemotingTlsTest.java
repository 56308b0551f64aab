package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.http.settings.ConfigSources;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes know each other by certificates of one authority. */
class RemotingTlsTest {
    private static final TestAuthority AUTHORITY = new TestAuthority();

    @TempDir
    private static Path directory;

    private static TestRouter here;

    @BeforeAll
    static void start() throws Exception {
        here = TestRouter.start(node("here", AUTHORITY));
    }

    @AfterAll
    static void stop() {
        here.close();
    }

    private static Map<String, String> node(String name, TestAuthority authority) throws IOException {
        Path own = Files.createDirectories(directory.resolve(name));
        var certificate = authority.issue(name);
        return Map.of(
                "pekko.cluster.jmx.multi-mbeans-in-same-jvm", "on",
                "kvrouter.tls.remoting.certificate",
                        TestAuthority.certificate(own, certificate).toString(),
                "kvrouter.tls.remoting.key", TestAuthority.key(own, certificate).toString(),
                "kvrouter.tls.remoting.ca", authority.ca(own).toString());
    }

    private static Map<String, String> joining(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("kvrouter.join", here.joinAddress());
        return all;
    }

    /** A node that need not get in. */
    private static RouterNode startOutside(Map<String, String> settings) throws Exception {
        Map<String, String> flags = new HashMap<>(joining(settings));
        flags.putAll(Map.of(
                "kvrouter.api-port", "0",
                "kvrouter.management-port", "0",
                "kvrouter.remoting-port", "0",
                "pekko.loglevel", "OFF",
                "pekko.cluster.jmx.multi-mbeans-in-same-jvm", "on",
                "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"));
        return RouterNode.start(ConfigSources.load(flags, Map.of(), Optional.empty()))
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    private static int remotingPort() {
        String address = here.joinAddress();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    @Test
    void aNodeWithACertificateJoinsAndOthersStayOutside() throws Exception {
        RouterNode plain = startOutside(Map.of());
        RouterNode stranger = startOutside(node("stranger", new TestAuthority()));
        try (var there = TestRouter.start(joining(node("there", AUTHORITY)))) {
            eventually(
                    "both know both",
                    () -> there.managed("/cluster/members").path("members").size() == 2
                            && here.managed("/cluster/members").path("members").size() == 2);

            assertThat(here.managed("/cluster/members").toString())
                    .contains(there.joinAddress())
                    .doesNotContain(plain.joinAddress(), stranger.joinAddress());
            assertThat(plain.ready()).isFalse();
            assertThat(stranger.ready()).isFalse();
        } finally {
            for (RouterNode outside : new RouterNode[] {plain, stranger}) {
                outside.stop();
                outside.terminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void bytesOfOneWithoutACertificateReachNobody() throws Exception {
        byte[] claimsTwoGib = {'A', 'K', 'K', 'A', 1, -1, -1, -1, 127};
        try (Peer plain = Peer.connect(remotingPort())) {
            plain.send(claimsTwoGib).awaitClosed();
        }
        try (Peer without = Peer.connect(remotingPort(), AUTHORITY.context())) {
            assertThatThrownBy(() -> without.send(claimsTwoGib).readHead()).isInstanceOf(IOException.class);
        }
    }
}
