package io.kvrouter.bench.faults;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Remembers errors and exceptions of this process's log: no fault outside is a reason for one. */
public final class LoudLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final int SHOWN = 10;

    /** Pekko HTTP's own log of the API's connections, an error for each that breaks off: off in the router's settings. */
    private static final String CONNECTIONS = "io.kvrouter.http.server.ConnectionLog";

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final List<String> lines = new CopyOnWriteArrayList<>();

    public static LoudLog listen() {
        var log = new LoudLog();
        log.setContext(log.root.getLoggerContext());
        log.start();
        log.root.addAppender(log);
        return log;
    }

    @Override
    protected void append(ILoggingEvent event) {
        boolean loud = event.getLevel().isGreaterOrEqual(Level.ERROR) || event.getThrowableProxy() != null;
        if (loud && !event.getLoggerName().equals(CONNECTIONS) && lines.size() < SHOWN) {
            lines.add(event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage());
        }
    }

    /** The first of them. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        root.detachAppender(this);
        stop();
    }
}
