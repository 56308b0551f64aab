package io.kvrouter.http.failover;

import java.util.Locale;

/** Why a request goes to another worker too. */
public enum Retry {
    /** The worker could not be reached: it has seen nothing, so this costs no worker anything. */
    CONNECT,
    /** The worker broke off before its answer. */
    RESET,
    /** The worker answered 429, 502 or 503. */
    PUSHED_BACK,
    /** The first byte of its answer is late: another worker is asked beside it. */
    HEDGE;

    /** As metrics name it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
