package io.kvrouter.kv.stream;

import io.kvrouter.kv.event.EventCounts;

/**
 * A rank's stream, for the operator.
 *
 * @param blocks blocks that the rank holds, by its events
 * @param lastSequence number of the last batch applied; -1 = none
 * @param lag batches that were heard of and not applied yet
 * @param engineBlockSize tokens in a block of the engine's events; 0 = not known yet
 */
public record StreamStatus(
        StreamState state,
        EventCounts events,
        SyncCounts sync,
        long blocks,
        long lastSequence,
        long lag,
        int engineBlockSize) {}
