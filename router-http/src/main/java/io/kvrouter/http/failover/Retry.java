package io.kvrouter.http.failover;

import java.util.Locale;

/** Why a request is tried again with another worker. */
public enum Retry {
    /** The worker could not be reached: it has seen nothing, so this costs no worker anything. */
    CONNECT,
    /** The worker broke off before its answer. */
    RESET,
    /** The worker answered 429, 502 or 503. */
    PUSHED_BACK;

    /** As metrics name it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
