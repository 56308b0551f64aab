package io.kvrouter.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.spi.FilterReply;
import io.kvrouter.http.node.RouterNode;
import io.kvrouter.http.settings.ConfigSources;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the file for logback lets through of what Pekko says of a node that starts. */
class NodeLogTest {
    private final Queue<ILoggingEvent> said = new ConcurrentLinkedQueue<>();
    private final Logger cluster = (Logger) LoggerFactory.getLogger("org.apache.pekko.cluster.Cluster");
    private final AppenderBase<ILoggingEvent> ears = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            said.add(event);
        }
    };

    @BeforeEach
    void listen() {
        ears.start();
        cluster.addAppender(ears);
        cluster.setLevel(Level.INFO);
        cluster.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        cluster.setAdditive(true);
        cluster.setLevel(null);
        cluster.detachAppender(ears);
    }

    @Test
    void aNodeThatJoinsByItselfDoesNotAskForThat() throws Exception {
        var settings = Map.of(
                "kvrouter.api-port", "0",
                "kvrouter.management-port", "0",
                "kvrouter.remoting-port", "0",
                "kvrouter.shutdown.grace", "0s",
                "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off");
        var node = RouterNode.start(ConfigSources.load(settings, Map.of(), Optional.empty()))
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        node.apiPort().toCompletableFuture().get(60, TimeUnit.SECONDS);
        node.stop().toCompletableFuture().get(60, TimeUnit.SECONDS);

        var shown = shown();
        assertThat(said).as("said by Pekko").anyMatch(event -> text(event).contains("manual cluster join required"));
        assertThat(said.stream().filter(event -> passes(shown, event)).map(NodeLogTest::text))
                .noneMatch(line -> line.contains("manual cluster join"))
                .anyMatch(line -> line.contains("is JOINING itself"));
    }

    private static boolean passes(Appender<ILoggingEvent> shown, ILoggingEvent event) {
        return shown.getFilterChainDecision(event) != FilterReply.DENY;
    }

    private static String text(ILoggingEvent event) {
        return event.getFormattedMessage();
    }

    /** What writes the product's log: the tests have a file of their own. */
    private static Appender<ILoggingEvent> shown() throws Exception {
        var context = new LoggerContext();
        var reader = new JoranConfigurator();
        reader.setContext(context);
        reader.doConfigure(Objects.requireNonNull(NodeLogTest.class.getResource("/logback.xml")));
        return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
    }
}
