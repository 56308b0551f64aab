package io.kvrouter.http.access;

import io.kvrouter.access.Caller;
import io.kvrouter.access.share.SharedCaps;
import io.kvrouter.access.share.SharedTokens;
import java.time.InstantSource;
import java.util.OptionalInt;

/**
 * Keeps callers to what they may have in flight in the whole cluster, and to their tokens of a minute. A request counts
 * from its head to the last byte of its answer, wherever it waits or runs meanwhile; its tokens when they were used.
 */
public final class CallerQuota {
    private final SharedCaps caps;
    private final SharedTokens tokens;
    private final InstantSource clock;

    /** @param clock one that only grows */
    public CallerQuota(SharedCaps caps, SharedTokens tokens, InstantSource clock) {
        this.caps = caps;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** In how many seconds the caller may send one more, if it has used its tokens of a minute; empty if it has not. */
    public OptionalInt spent(Caller caller) {
        var limit = caller.limits().tokensPerMinute();
        return limit.isEmpty()
                ? OptionalInt.empty()
                : tokens.secondsToWait(caller.name(), limit.getAsLong(), clock.millis());
    }

    /** Whether the caller's tokens are limited, so that they have to be known. */
    public boolean countsTokens(Caller caller) {
        return caller.limits().tokensPerMinute().isPresent();
    }

    /** A worker has worked at so many tokens of the caller. */
    public void spends(Caller caller, long many) {
        if (countsTokens(caller)) {
            tokens.spends(caller.name(), many, clock.millis());
        }
    }

    /** Whether the caller may have one more; if so, say once when it has {@link #ended}. */
    public boolean begins(Caller caller) {
        var cap = caller.limits().requestsInFlight();
        return cap.isEmpty() || caps.acquire(caller.name(), cap.getAsInt(), clock.millis());
    }

    /** One of the caller's requests is over. */
    public void ended(Caller caller) {
        if (caller.limits().requestsInFlight().isPresent()) {
            caps.release(caller.name());
        }
    }
}
