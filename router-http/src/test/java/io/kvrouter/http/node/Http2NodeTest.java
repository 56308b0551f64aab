package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.access.KeyHash;
import io.kvrouter.http.testing.TestAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose API is served by HTTP/2 too, with TLS, to clients that have a certificate and a key. */
class Http2NodeTest {
    private static final TestAuthority AUTHORITY = new TestAuthority();
    private static final HeldCertificate OWN = AUTHORITY.issue("localhost");
    private static final SSLContext KNOWN = AUTHORITY.context(AUTHORITY.issue("client"));
    private static final String CHAT =
            "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String EVENTS =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

    @TempDir
    private static Path directory;

    private static TestRouter router;
    private static TestEngine engine;
    private static HttpClient client;

    @BeforeAll
    static void start() throws Exception {
        engine = new TestEngine("m");
        router = TestRouter.start(Map.of(
                "kvrouter.http2-port", "0",
                "kvrouter.worker-urls", engine.url().toString(),
                "kvrouter.access.keys",
                        "callers { c.keys = [\"" + KeyHash.of("key").text() + "\"] }",
                "kvrouter.access-log.file", directory.resolve("log").toString(),
                "kvrouter.tls.api.certificate",
                        TestAuthority.certificate(directory, OWN).toString(),
                "kvrouter.tls.api.key", TestAuthority.key(directory, OWN).toString(),
                "kvrouter.tls.api.ca", AUTHORITY.ca(directory).toString()));
        eventually("up", () -> router.managed("/workers").toString().contains("\"up\""));
        client = HttpClient.newBuilder().sslContext(KNOWN).build();
    }

    @AfterAll
    static void stop() {
        client.close();
        router.close();
        engine.close();
    }

    @AfterEach
    void nothingIsHeld() throws Exception {
        engine.follow(TestEngine.OK);
        eventually("no load", () -> router.requests() == 0);
    }

    private static HttpRequest chat(String key, String body) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + router.http2Port() + "/v1/chat/completions"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + key)
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static String line(InputStream stream) throws IOException {
        var line = new StringBuilder();
        for (int c = stream.read(); c >= 0 && c != '\n'; c = stream.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static String log() {
        try {
            return Files.readString(directory.resolve("log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void aChatIsServedAndLogged() throws Exception {
        var answer = client.send(chat("key", CHAT), BodyHandlers.ofString());

        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"ok\":true}");
        assertThat(answer.headers().firstValue("x-router-decision")).contains("selected");
        assertThat(engine.request().head()).doesNotContainIgnoringCase("authorization");
        String id = answer.headers().firstValue("x-request-id").orElseThrow();
        eventually("logged", () -> log().contains(id));
    }

    @Test
    void aLongPromptIsServed() throws Exception {
        String body = CHAT.replace("hi", "long ".repeat(1_000_000));

        assertThat(client.send(chat("key", body), BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        assertThat(engine.request().text()).isEqualTo(body);
    }

    @Test
    void twoStreamsGoOnAtOnce() throws Exception {
        CountDownLatch finish = new CountDownLatch(1);
        engine.follow((peer, request) -> {
            peer.send(EVENTS + chunk("data: 1\n\n"));
            finish.await();
            peer.send(chunk("data: 2\n\n") + "0\r\n\r\n");
        });
        HttpResponse<InputStream> one = client.send(chat("key", CHAT), BodyHandlers.ofInputStream());
        HttpResponse<InputStream> two = client.send(chat("key", CHAT), BodyHandlers.ofInputStream());

        assertThat(line(one.body())).isEqualTo("data: 1");
        assertThat(line(two.body())).isEqualTo("data: 1");
        finish.countDown();

        for (var stream : List.of(one, two)) {
            assertThat(new String(stream.body().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("\ndata: 2\n\n");
        }
    }

    @Test
    void aClientThatGivesUpItsStreamEndsItsRequestAtTheWorker() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        engine.follow((peer, request) -> {
            peer.send(EVENTS + chunk("data: 1\n\n")).awaitClosed();
            closed.countDown();
            throw new IOException("the client has gone");
        });
        HttpResponse<InputStream> stream = client.send(chat("key", CHAT), BodyHandlers.ofInputStream());
        assertThat(line(stream.body())).isEqualTo("data: 1");

        stream.body().close();

        eventually("the worker saw it", () -> closed.getCount() == 0);
    }

    @Test
    void aClientThatGivesUpBeforeTheAnswerEndsItsRequestAtTheWorker() throws Exception {
        CountDownLatch came = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        engine.follow((peer, request) -> {
            came.countDown();
            peer.awaitClosed();
            closed.countDown();
            throw new IOException("the client has gone");
        });
        var waiting = client.sendAsync(chat("key", CHAT), BodyHandlers.ofString());
        came.await();

        waiting.cancel(true);

        eventually("the worker saw it", () -> closed.getCount() == 0);
    }

    @Test
    void whoHasNoKeyIsRefusedWhateverItSends() throws Exception {
        int before = engine.requests().size();

        assertThat(client.send(chat("wrong", CHAT), BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
        assertThat(client.send(chat("wrong", "x".repeat(8_000_000)), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(401);
        assertThat(engine.requests()).hasSize(before);
        assertThat(client.send(chat("key", CHAT), BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void whoHasNoCertificateOrWantsAnotherProtocolIsNotServed() {
        try (var stranger =
                        HttpClient.newBuilder().sslContext(AUTHORITY.context()).build();
                var old = HttpClient.newBuilder()
                        .sslContext(KNOWN)
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            assertThatThrownBy(() -> stranger.send(chat("key", CHAT), BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> old.send(chat("key", CHAT), BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }
}
