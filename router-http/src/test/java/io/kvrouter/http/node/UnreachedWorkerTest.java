package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpServer;
import io.kvrouter.http.engine.FleetWatch;
import io.kvrouter.http.testing.TestAuthority;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What an operator is told of workers that never passed a health check, or do no more. */
class UnreachedWorkerTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(FleetWatch.class);

    private static TestRouter router;

    private final ListAppender<ILoggingEvent> heard = new ListAppender<>();
    private final AtomicInteger checks = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.health-check-timeout", "300ms"));
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    @BeforeEach
    void listen() {
        heard.addFilter(new Warnings());
        heard.start();
        LOG.addAppender(heard);
    }

    @AfterEach
    void removeWorker() throws Exception {
        LOG.detachAppender(heard);
        router.management("DELETE", "/workers/w", "");
    }

    @Test
    void aPortWhereNobodyListensIsNamed() throws Exception {
        register("http://127.0.0.1:1");

        told("the connection is refused", "pending");
    }

    @Test
    void aPortThatSaysNothingIsNamed() throws Exception {
        try (var mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            register("http://127.0.0.1:" + mute.getLocalPort());

            told("no answer within 300 ms", "pending");
        }
    }

    @Test
    void anAuthorityThatIsNotTrustedIsNamed() throws Exception {
        var unknown = new TestAuthority();
        try (var engine = new TestEngine("m", unknown.context(unknown.issue("127.0.0.1")))) {
            register(engine.url().toString());

            told("no TLS with it (", "pending");
        }
    }

    @Test
    void aBadStatusIsNamedOnceInTheLog() throws Exception {
        HttpServer server = answering(503);
        register("http://127.0.0.1:" + server.getAddress().getPort());

        told("its health check is answered with status 503", "pending");
        int soFar = checks.get();
        eventually("more checks", () -> checks.get() > soFar + 5);
        server.stop(0);

        assertThat(lines()).singleElement().asString().contains("worker w at", "pending", "status 503");
    }

    @Test
    void theLineOfAWorkerThatGoesDownSaysWhy() throws Exception {
        HttpServer server = answering(200);
        register("http://127.0.0.1:" + server.getAddress().getPort());
        eventually(
                "up", () -> router.managed("/workers/w").path("state").asText().equals("up"));

        server.stop(0);

        told("the connection is refused", "down");
        assertThat(lines()).singleElement().asString().contains("is down", "the connection is refused");
    }

    private void told(String why, String state) throws Exception {
        eventually("told: " + why, () -> warnings().contains(why));
        assertThat(router.managed("/workers/w").path("state").asText()).isEqualTo(state);
        eventually("logged", () -> lines().stream().anyMatch(line -> line.contains(why)));
    }

    private static String warnings() {
        return router.managed("/workers/w").path("warnings").toString();
    }

    private List<String> lines() {
        return List.copyOf(heard.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private HttpServer answering(int status) throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            checks.incrementAndGet();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void register(String url) throws Exception {
        var body = "{\"url\":\"" + URI.create(url) + "\",\"id\":\"w\",\"models\":[\"m\"]}";
        assertThat(router.management("POST", "/workers", body).statusCode()).isEqualTo(201);
    }
}
