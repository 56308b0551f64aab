package io.kvrouter.booking;

import io.kvrouter.worker.Demand;
import io.kvrouter.worker.WorkerId;

/** The worker and rank that a turn is bound to, and what it demands of it. */
public record Pin(Demand demand, WorkerId worker, int rank) {}
