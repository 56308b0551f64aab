package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Peer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines that ask for a key of their own. */
class WorkerCredentialTest {
    private static final String MODELS = "{\"object\":\"list\",\"data\":[{\"id\":\"m\",\"object\":\"model\"}]}";
    private final List<String> heads = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory = Path.of("");

    /** Refuses whatever does not show the key. */
    private MockWorker engine(String key) throws Exception {
        return new MockWorker(peer -> {
            while (true) {
                var message = peer.readMessage();
                boolean known = message.head().contains("Authorization: Bearer " + key + "\r\n");
                heads.add(message.head());
                answer(peer, known ? "200 OK" : "401 Unauthorized");
            }
        });
    }

    private static void answer(Peer peer, String status) throws Exception {
        peer.send("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: " + MODELS.length()
                + "\r\n\r\n" + MODELS);
    }

    @Test
    void theWorkerSeesOneAuthorizationTheConfiguredOne() throws Exception {
        Path secret = Files.writeString(directory.resolve("engine"), "engine-key-1\n");
        try (var engine = engine("engine-key-1");
                var router = TestRouter.start(Map.of(
                        "kvrouter.worker-urls",
                        engine.url().toString(),
                        "kvrouter.upstream.credential",
                        "file:" + secret))) {
            eventually("up", () -> router.managed("/workers").toString().contains("\"up\""));

            var answer = router.complete(
                    "{\"model\":\"m\",\"prompt\":\"a\"}", "Authorization", "Bearer mine", "x-api-key", "mine");

            assertThat(answer.statusCode()).isEqualTo(200);
            String head = heads.stream()
                    .filter(text -> text.startsWith("POST /v1/completions"))
                    .findFirst()
                    .orElseThrow();
            assertThat(head.split("(?i)authorization:", -1)).hasSize(2);
            assertThat(head).contains("Authorization: Bearer engine-key-1\r\n").doesNotContain("mine");
            assertThat(router.managed("/workers").toString()
                            + router.management("GET", "/metrics", "").body())
                    .doesNotContain("engine-key");

            Files.writeString(secret, "engine-key-2\n");
            eventually("shown the new one", () -> heads.getLast().contains("Bearer engine-key-2\r\n"));
        }
    }

    @Test
    void aWorkerThatSomebodyRegisteredElsewhereIsShownNothing() throws Exception {
        Path secret = Files.writeString(directory.resolve("engine"), "engine-key-1\n");
        try (var engine = engine("engine-key-1");
                var elsewhere = new TestEngine("n");
                var router = TestRouter.start(
                        Map.of("kvrouter.upstream.credentials.\"" + engine.url() + "\"", "file:" + secret))) {
            router.register(engine.url(), "");
            router.register(elsewhere.url(), "");

            assertThat(router.complete("{\"model\":\"m\",\"prompt\":\"a\"}").statusCode())
                    .isEqualTo(200);
            router.complete("{\"model\":\"n\",\"prompt\":\"a\"}", "Authorization", "Bearer mine");

            assertThat(elsewhere.request().head())
                    .contains("Authorization: Bearer mine\r\n")
                    .doesNotContain("engine-key");
        }
    }
}
