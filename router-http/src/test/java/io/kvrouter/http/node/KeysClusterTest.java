package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.KeyHash;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes, each with a file of keys of its own. */
class KeysClusterTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";

    @TempDir
    private static Path directory = Path.of("");

    private static TestCluster cluster;
    private static TestRouter here;
    private static TestRouter there;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        write("here", "stays", "goes");
        write("there", "stays", "goes");
        cluster = TestCluster.start(
                2,
                node -> Map.of(
                        "kvrouter.access.keys-file",
                        directory.resolve(node == 0 ? "here" : "there").toString()));
        here = cluster.node(0);
        there = cluster.node(1);
        engine = new TestEngine("m");
        here.register(engine.url(), "");
        cluster.awaitWorkers();
    }

    /** As an orchestrator does, at once. */
    private static void write(String file, String... keys) throws Exception {
        var hashes = List.of(keys).stream()
                .map(key -> "\"" + KeyHash.of(key).text() + "\"")
                .toList();
        Path fresh = Files.writeString(directory.resolve("fresh"), "callers.a.keys = " + hashes);
        Files.move(fresh, directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }

    @AfterAll
    static void stop() {
        cluster.close();
        engine.close();
    }

    private static int status(TestRouter node, String key) {
        try {
            return node.complete(BODY, "Authorization", "Bearer " + key, "x-session-id", "s")
                    .statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRevokedKeyIsNoneOnEachNodeWithinTwoSeconds() throws Exception {
        assertThat(status(here, "goes")).isEqualTo(200);
        assertThat(status(there, "goes")).isEqualTo(200);

        write("here", "stays", "comes");
        write("there", "stays", "comes");

        eventually("revoked here", () -> status(here, "goes") == 401);
        eventually("revoked there", () -> status(there, "goes") == 401);
        assertThat(status(here, "stays")).isEqualTo(200);
        assertThat(status(there, "comes")).isEqualTo(200);
        assertThat(NodeAccess.INTERVAL.multipliedBy(2)).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void aSessionIsItsCallersAtEitherNodeAndByEitherOfItsKeys() throws Exception {
        status(here, "stays");
        String path = "/router/sessions/s?model=m&caller=";

        eventually("bound", () -> there.managed(path + "a").has("worker"));
        assertThat(there.managed(path).has("worker")).isFalse();
        assertThat(there.complete(BODY, "Authorization", "Bearer stays", "x-session-id", "s")
                        .headers()
                        .firstValue("x-router-decision"))
                .hasValue("pinned");
    }
}
