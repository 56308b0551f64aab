package io.kvrouter.kv.stream;

import io.kvrouter.kv.event.CacheWriter;

/** What other threads see of a stream. Written by the stream's own. */
final class Shown {
    private final CacheWriter writer;
    private final Applied applied;
    private final Question question;
    private final Patience patience;
    private final StreamTally tally;

    private volatile StreamState state = StreamState.SYNCING;
    private volatile boolean helpless = true;
    private volatile StreamStatus status;

    Shown(CacheWriter writer, Applied applied, Question question, Patience patience, StreamTally tally) {
        this.writer = writer;
        this.applied = applied;
        this.question = question;
        this.patience = patience;
        this.tally = tally;
        this.status = currentStatus();
    }

    StreamState state() {
        return state;
    }

    StreamStatus status() {
        return status;
    }

    /** The stream knows the engine's past in part, or not at all. */
    boolean helpless() {
        return helpless;
    }

    void updateState(long now) {
        state = currentState(now);
        helpless = writer.fits() && (applied.lost() || !applied.begun());
    }

    void update(long now) {
        updateState(now);
        status = currentStatus();
    }

    private StreamState currentState(long now) {
        if (!writer.fits()) {
            return StreamState.WRONG_BLOCK_SIZE;
        }
        if (patience.silent(now)) {
            return StreamState.SILENT;
        }
        if (!applied.begun() || (question.open() && question.why() != Question.Why.CHECK)) {
            return StreamState.SYNCING;
        }
        return applied.lost() ? StreamState.SUSPECT : StreamState.LIVE;
    }

    private StreamStatus currentStatus() {
        return new StreamStatus(
                state,
                writer.counts(),
                tally.counts(),
                writer.cache().blocks(),
                applied.next() - 1,
                applied.lag(),
                writer.engineBlockSize());
    }
}
