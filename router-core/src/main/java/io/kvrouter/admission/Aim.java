package io.kvrouter.admission;

import io.kvrouter.worker.Demand;
import io.kvrouter.worker.WorkerId;

/** What a claim is for. */
public sealed interface Aim {
    /** A request's body is not read, so that nobody knows yet which workers it may go to. */
    enum Door implements Aim {
        ANY
    }

    /** One worker, and no other. */
    record Only(WorkerId worker) implements Aim {}

    /** Any worker that serves this. */
    record Serving(Demand demand) implements Aim {}
}
