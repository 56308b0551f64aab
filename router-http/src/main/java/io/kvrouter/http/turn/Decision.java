package io.kvrouter.http.turn;

import java.util.Locale;

/** Why a request went where it went: the value of {@code x-router-decision}. */
public enum Decision {
    /** By cost: no session, or the first turn of one. */
    SELECTED,
    /** To the session's worker. */
    PINNED,
    /** By cost, and the session with it: its worker was not eligible any more. */
    REBOUND,
    /** By cost to another worker than the session's, which pushed back; the session stays. */
    DETOURED,
    /** By cost: it had a session id, and its binding could not be decided. */
    UNBOUND;

    public String header() {
        return name().toLowerCase(Locale.ROOT);
    }
}
