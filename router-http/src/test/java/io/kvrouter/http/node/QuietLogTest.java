package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.kvrouter.http.testing.Peer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Everything that a node logs at DEBUG, and everything that it counts, while sessions come and go: no id is in it. */
class QuietLogTest {
    private static final String ID = "quiet-7f3a";
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"secret-prompt\"}";
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final AppenderBase<ILoggingEvent> ears = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            var thrown = event.getThrowableProxy();
            lines.add(event.getLoggerName() + " " + event.getFormattedMessage() + " " + event.getMDCPropertyMap()
                    + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown)));
        }
    };

    @BeforeEach
    void listen() {
        root.iteratorForAppenders().forEachRemaining(appender -> appender.addFilter(new Warnings()));
        ears.setContext(root.getLoggerContext());
        ears.start();
        root.addAppender(ears);
        root.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopListening() {
        root.setLevel(Level.WARN);
        root.detachAppender(ears);
        root.iteratorForAppenders().forEachRemaining(appender -> appender.clearAllFilters());
    }

    @Test
    void noSessionIdIsLogged() throws Exception {
        String metrics;
        try (var engine = new TestEngine("m");
                var router = TestRouter.start(Map.of("pekko.loglevel", "DEBUG"))) {
            router.register(engine.url(), ",\"id\":\"w\"");
            router.complete(BODY, "x-session-id", ID);
            eventually("bound", () -> router.managed("/router/sessions/" + ID).has("worker"));
            engine.follow((peer, request) -> peer.reset());
            router.complete(BODY, "x-session-id", ID);
            engine.follow(TestEngine.answering("503 No", "", "busy"));
            router.complete(BODY, "x-session-id", ID, "x-session-final", "true");
            refusedAndBroken(router);
            router.management("DELETE", "/router/sessions/" + ID, "");
            router.management("GET", "/router/sessions/" + ID + "?model=other", "");
            router.management("GET", "/router/sessions/" + ID + "%0a", "");
            metrics = router.management("GET", "/metrics", "").body();
        }

        assertThat(lines).hasSizeGreaterThan(100).noneMatch(line -> line.contains(ID) || line.contains("secret"));
        assertThat(metrics).contains("kvrouter_sessions_ended_total").doesNotContain(ID);
    }

    private static void refusedAndBroken(TestRouter router) throws Exception {
        router.complete(BODY, "x-session-id", ID + "x".repeat(300));
        router.complete(BODY.replace("\"m\"", "\"none\""), "x-session-id", ID);
        router.complete("{\"model\":\"m\",\"session_id\":\"" + ID + "\",", "x-session-affinity", ID);
        router.complete(BODY, "x-session-id", ID, "x-router-worker", "not a worker");
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send("POST /v1/completions HTTP/1.1\r\nHost: x\r\nx-session-id: " + ID
                    + "\r\nContent-Length: nonsense\r\n\r\n");
            client.readHead();
        }
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nx-session-id: "
                    + ID + "\r\nContent-Length: 100\r\n\r\n{");
            client.reset();
        }
    }
}
