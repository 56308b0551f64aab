package io.kvrouter.http.access;

import io.kvrouter.access.Caller;
import io.kvrouter.access.share.SharedCaps;
import java.time.InstantSource;

/**
 * Keeps callers to what they may have in flight in the whole cluster. A request counts from its head to the last byte of
 * its answer, wherever it waits or runs meanwhile.
 */
public final class CallerQuota {
    private final SharedCaps caps;
    private final InstantSource clock;

    /** @param clock one that only grows */
    public CallerQuota(SharedCaps caps, InstantSource clock) {
        this.caps = caps;
        this.clock = clock;
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
