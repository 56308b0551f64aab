package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.models.Model;
import io.kvrouter.http.engine.HttpEngineProbe;
import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.TestAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A node whose faces all speak TLS: its API to anybody, its management to those with a certificate. */
class NodeTlsTest {
    private static final TestAuthority AUTHORITY = new TestAuthority();
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"p\"}";
    private static final String POST = "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;
    private static final HeldCertificate FIRST = AUTHORITY.issue("localhost");

    @TempDir
    private static Path directory;

    private static TestRouter router;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        String certificate = TestAuthority.certificate(directory, FIRST).toString();
        String key = TestAuthority.key(directory, FIRST).toString();
        String ca = AUTHORITY.ca(directory).toString();
        engine = new TestEngine("m", AUTHORITY.context(AUTHORITY.issue("127.0.0.1")));
        router = TestRouter.start(Map.of(
                "kvrouter.worker-urls", engine.url().toString(),
                "kvrouter.tls.api.certificate", certificate,
                "kvrouter.tls.api.key", key,
                "kvrouter.tls.management.certificate", certificate,
                "kvrouter.tls.management.key", key,
                "kvrouter.tls.management.ca", ca,
                "kvrouter.tls.workers.ca", ca,
                "kvrouter.tls.check-interval", "50ms"));
        eventually("up", () -> managed("GET", "/workers", "").contains("\"up\""));
    }

    @AfterAll
    static void stop() {
        router.close();
        engine.close();
    }

    private static String managed(String method, String path, String body) {
        try {
            return send(AUTHORITY.context(AUTHORITY.issue("operator")), router.managementPort(), method, path, body)
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HttpResponse<String> send(SSLContext tls, int port, String method, String path, String body)
            throws IOException, InterruptedException {
        try (var client = HttpClient.newBuilder().sslContext(tls).build()) {
            var request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                    .header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofString(body));
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    /** What a new connection is shown. */
    private static Certificate shown() {
        try (Peer client = Peer.connect(router.apiPort(), AUTHORITY.context())) {
            client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n").readHead();
            return ((SSLSocket) client.socket()).getSession().getPeerCertificates()[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void requestsComeAndGoByTls() throws Exception {
        var answer = send(AUTHORITY.context(), router.apiPort(), "POST", "/v1/completions", BODY);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("x-router-worker")).isPresent();
        assertThat(send(AUTHORITY.context(), router.apiPort(), "GET", "/v1/models", "")
                        .body())
                .contains("\"m\"");
        assertThatThrownBy(() -> router.complete(BODY)).isInstanceOf(IOException.class); // by plain HTTP
    }

    @Test
    void openAisClientIsServed() {
        var trust = AUTHORITY.trust();
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl("https://localhost:" + router.apiPort() + "/v1")
                .apiKey("none")
                .sslSocketFactory(trust.sslSocketFactory())
                .trustManager(trust.trustManager())
                .build();
        try {
            assertThat(client.models().list().data()).extracting(Model::id).containsExactly("m");
        } finally {
            client.close();
        }
    }

    @Test
    void managementTakesThoseWithACertificateOnly() throws Exception {
        var other = new TestAuthority();

        assertThat(managed("GET", "/ready", "")).isNotBlank();
        assertThat(managed("GET", "/metrics", "")).contains("kvrouter_tls_not_after_seconds");
        assertThatThrownBy(() -> send(AUTHORITY.context(), router.managementPort(), "GET", "/ready", ""))
                .isInstanceOf(IOException.class);
        try (Peer stranger = Peer.connect(router.managementPort(), AUTHORITY.context(other.issue("operator")))) {
            assertThatThrownBy(() -> stranger.send("GET /ready HTTP/1.1\r\nHost: x\r\n\r\n")
                            .readHead())
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aWorkerOfAnotherAuthorityIsAskedNothing() throws Exception {
        var heard = new ListAppender<ILoggingEvent>();
        var logger = (Logger) LoggerFactory.getLogger(HttpEngineProbe.class);
        heard.start();
        logger.addAppender(heard);
        var other = new TestAuthority();
        try (var liar = new TestEngine("m", other.context(other.issue("127.0.0.1")))) {
            managed("POST", "/workers", "{\"url\":\"" + liar.url() + "\",\"id\":\"liar\"}");

            eventually("told", () -> !heard.list.isEmpty());
            assertThat(heard.list.getFirst().getFormattedMessage())
                    .startsWith("worker at " + liar.url() + ": no TLS with it (");
            assertThat(managed("GET", "/workers/liar", "")).contains("\"pending\"");
            assertThat(liar.requests()).isEmpty();
        } finally {
            managed("DELETE", "/workers/liar", "");
            logger.detachAppender(heard);
        }
    }

    @Test
    void newFilesAreForNewConnectionsWhileAStreamGoesOn() throws Exception {
        engine.follow((peer, request) -> {
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            peer.send("a\r\ndata: one\n\r\n");
            eventually("changed", () -> !shown().equals(FIRST.certificate()));
            peer.send("a\r\ndata: two\n\r\n0\r\n\r\n");
        });
        try (Peer client = Peer.connect(router.apiPort(), AUTHORITY.context())) {
            client.send(POST).readUntil("data: one");
            HeldCertificate second = AUTHORITY.issue("localhost");

            TestAuthority.certificate(directory, second);
            TestAuthority.key(directory, second);

            assertThat(client.readUntil("0\r\n\r\n")).contains("data: two");
            assertThat(shown()).isEqualTo(second.certificate());
        }
    }

    @Test
    void aClientThatGoesEndsItsRequestAtTheWorker() throws Exception {
        engine.follow((peer, request) -> {
            peer.awaitClosed();
            throw new IOException("the client has gone");
        });
        try (Peer client = Peer.connect(router.apiPort(), AUTHORITY.context())) {
            int before = engine.requests().size();
            client.send(POST);
            eventually("at the worker", () -> engine.requests().size() > before);
        }

        eventually("nothing runs", () -> managed("GET", "/metrics", "").contains("kvrouter_requests_in_flight 0.0"));
        engine.follow(TestEngine.OK);
    }
}
