package io.kvrouter.http.server;

import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.LoggingAdapter;

/**
 * Where Pekko HTTP writes what it has to say of single connections: an error for each client that leaves. It goes
 * under a name of its own, which the log's configuration turns off.
 */
public final class ConnectionLog {
    private ConnectionLog() {}

    public static LoggingAdapter of(ActorSystem system) {
        return Logging.getLogger(system, ConnectionLog.class);
    }
}
