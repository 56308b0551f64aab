package io.kvrouter.bench;

import java.util.Locale;

/** The paths that are compared, each a row of the result. All send the same requests. */
public enum Row {
    /** Straight to the worker. */
    DIRECT,
    /** Through the router, without a session id. */
    NO_SESSION,
    /** Through the router, each request the first one of a new session. */
    FIRST_TURN,
    /** Through the router, turns of sessions that are bound: the normal case. */
    PINNED;

    boolean routed() {
        return this != DIRECT;
    }

    String title() {
        String name = name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return routed() ? "routed, " + name : name;
    }
}
