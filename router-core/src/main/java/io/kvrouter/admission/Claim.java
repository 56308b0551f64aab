package io.kvrouter.admission;

import io.kvrouter.worker.WorkerId;

/** What a request wants at the moment, and how it is told. */
public interface Claim {
    /** It only wants in: its body is not read, so nobody knows yet which workers it may go to. */
    boolean atDoor();

    /** Whether room on this worker may be what it waits for. */
    boolean wants(WorkerId worker);

    /** Takes what it wants and goes on, or into its refusal; false if that is not free, and it has to wait. */
    boolean proceed();

    /** It is sent away. Nothing is held for it. */
    void shed(Shed why);
}
