package io.kvrouter.bench.sessions;

import java.util.Locale;

/** What happens to the cluster while turns go on. */
public enum Fault {
    /** {@code kill -9} of a node. */
    KILL,
    /** SIGTERM to a node: it leaves. */
    LEAVE,
    /** SIGSTOP of a node for a while. */
    PAUSE,
    /** The node that went starts again; if none went, one more joins. */
    JOIN,
    /** Nothing: a quiet phase only. */
    NONE;

    /** As in a report. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
