package io.kvrouter.admission;

import io.kvrouter.worker.WorkerId;

/** What a request wants at the moment, and how it is told. */
public interface Claim {
    /** What it is for. */
    Aim aim();

    /** Whether it only wants in. */
    default boolean atDoor() {
        return aim() == Aim.Door.ANY;
    }

    /** Whether room on this worker may be what it waits for. */
    boolean wants(WorkerId worker);

    /** Permits that it may be given by other nodes, which have more than they use. */
    int elsewhere();

    /** Takes what it wants and goes on, or into its refusal; false if that is not free, and it has to wait. */
    boolean proceed();

    /** It is sent away. Nothing is held for it. */
    void shed(Shed why);
}
