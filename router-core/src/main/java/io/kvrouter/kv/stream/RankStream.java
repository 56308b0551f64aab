package io.kvrouter.kv.stream;

import io.kvrouter.kv.event.BatchDecoder;
import io.kvrouter.kv.event.CacheWriter;
import io.kvrouter.kv.event.KvEvent;
import io.kvrouter.kv.stream.PendingBatches.Batch;

/**
 * The event stream of one rank of one worker: puts batches into their order, asks for what is missing, notices that the
 * engine was restarted, and applies what is sure. No I/O: its owner hands in what comes, and asks after each turn with
 * {@link #ask} whether a replay is wanted. Used by one thread; {@link #state} and {@link #status} by any.
 *
 * <p>What holds: the index has only blocks that the engine said it stored and has not said it removed, without a batch
 * between them that was not seen. Where batches are gone for good the rank is cleared and starts again from what can
 * be had: it then knows less, and says so, but nothing wrong.
 */
public final class RankStream {
    /** No replay is wanted. */
    public static final long NONE = -1;

    private final CacheWriter writer;
    private final BatchDecoder decoder;
    private final StreamSettings settings;
    private final boolean replayable;

    private final RecentBatches recent = new RecentBatches();
    private final PendingBatches pending;
    private final StreamTally tally = new StreamTally();
    private final Question question = new Question();
    private final Patience patience;

    private long next;
    private long highest = -1;
    private boolean lost;
    private boolean begun; // something is known of the engine's cache, if only that it is empty

    private volatile StreamState state = StreamState.SYNCING;
    private volatile StreamStatus status;

    /**
     * @param writer owned by this stream from now on
     * @param replayable whether the engine can be asked for earlier batches
     * @param now ms of any clock that does not jump
     */
    public RankStream(CacheWriter writer, BatchDecoder decoder, StreamSettings settings, boolean replayable, long now) {
        this.writer = writer;
        this.decoder = decoder;
        this.settings = settings;
        this.replayable = replayable;
        this.patience = new Patience(settings, now);
        this.pending = new PendingBatches(settings.pendingBytes());
        question.want(replayable ? 0 : NONE, Question.Why.GAP);
        status = currentStatus();
    }

    /** A batch was published. */
    public void live(long sequence, byte[] payload, long now) {
        patience.hear(now);
        highest = Math.max(highest, sequence);
        if (question.open()) {
            pending.add(sequence, payload);
        } else {
            accept(new Batch(sequence, payload));
        }
        settle(now);
    }

    /** A batch came as the answer to the replay that was asked for last. */
    public void replayed(long sequence, byte[] payload, long now) {
        patience.hear(now);
        highest = Math.max(highest, sequence);
        if (question.asked()) {
            question.answered(now);
            onAnswer(sequence, payload);
        }
        settle(now);
    }

    /** Something came that is no batch. */
    public void unreadable(long now) {
        patience.hear(now);
        writer.apply(new KvEvent.Malformed());
        settle(now);
    }

    private void onAnswer(long sequence, byte[] payload) {
        if (question.isFirstAnswer() && question.why() == Question.Why.REBUILD) {
            rebuild(sequence);
        }
        if (sequence < next) {
            if (recent.contradicts(sequence, payload)) {
                restart();
                question.want(0, Question.Why.GAP);
            }
        } else if (sequence == next) {
            apply(sequence, payload);
        } else if (question.progressed(next)) {
            question.want(checkpoint(), Question.Why.GAP); // the engine's socket dropped answers: ask on
        } else {
            lose(sequence);
            apply(sequence, payload);
        }
    }

    /** The engine's first batch is there, so all are: begin anew. Else what is there stays, if it is known to be short. */
    private void rebuild(long first) {
        if (first == 0) {
            writer.clear();
            recent.forget();
            next = 0;
            lost = false;
        } else if (!lost) {
            lose(first);
        }
    }

    /** The replay that was asked for last is over. */
    public void replayEnded(long now) {
        patience.hear(now);
        if (question.asked()) {
            begun = true;
            patience.succeeded();
            boolean nothing = question.answers() == 0 && next > 0;
            boolean progressed = question.progressed(next);
            long start = question.start();
            question.close();
            if (nothing) { // it does not know the last batch that was applied: another life
                restart();
            }
            if (nothing && start > 0) {
                question.want(0, Question.Why.GAP);
            } else {
                drain(progressed);
            }
        }
        settle(now);
    }

    /** The replay that was asked for last can't be had now. */
    public void replayFailed(long now) {
        if (question.asked()) {
            question.close();
            tally.failedReplay();
            patience.failed(now);
            drain(false);
        }
        settle(now);
    }

    /** Applies what waited. What is still missing after a replay that brought nothing new is lost. */
    private void drain(boolean progressed) {
        if (!progressed && !pending.isEmpty() && pending.firstSequence() > next) {
            lose(pending.firstSequence());
        }
        long last = NONE;
        while (!pending.isEmpty() && !question.open()) {
            Batch batch = pending.take();
            boolean answeredAlready = batch.sequence() < next
                    && batch.sequence() > last
                    && !recent.contradicts(batch.sequence(), batch.payload());
            last = batch.sequence();
            if (!answeredAlready) {
                accept(batch);
            }
        }
    }

    private void accept(Batch batch) {
        if (batch.sequence() < next) {
            if (recent.has(batch.sequence(), batch.payload())) {
                tally.repeat();
                return;
            }
            restart();
            highest = batch.sequence();
        }
        if (batch.sequence() == next) {
            apply(batch.sequence(), batch.payload());
        } else if (replayable && !patience.failing()) {
            tally.gap();
            pending.putBack(batch);
            question.want(checkpoint(), Question.Why.GAP);
        } else {
            tally.gap();
            lose(batch.sequence());
            apply(batch.sequence(), batch.payload());
        }
    }

    /** The last batch that was applied: asked for again, it shows whether the engine is still the same. */
    private long checkpoint() {
        return Math.max(0, next - 1);
    }

    private void apply(long sequence, byte[] payload) {
        begun = true;
        for (KvEvent event : decoder.decode(payload)) {
            writer.apply(event);
        }
        recent.add(sequence, RecentBatches.fingerprint(payload));
        next = sequence + 1;
        if (writer.cleared()) {
            lost = false;
        }
    }

    /** The engine counts from 0 again. */
    private void restart() {
        tally.restart();
        writer.newLife();
        recent.forget();
        next = 0;
        highest = -1;
        lost = false;
    }

    /** All before this batch is gone: never pretend to know what it said. */
    private void lose(long sequence) {
        tally.clear();
        writer.clear();
        recent.forget();
        lost = true;
        next = sequence;
    }

    /** A parent that is not known, though no batch is missing and none was dropped here: read everything again, once. */
    private void recover() {
        if (!writer.orphaned() || lost) {
            return;
        }
        if (!replayable || (question.asked() && question.start() == 0)) {
            lost = true;
        } else {
            question.want(0, Question.Why.REBUILD);
        }
    }

    /**
     * The first sequence number to ask a replay from, on a connection of its own; {@link #NONE} when there is nothing
     * to ask. Each question is told once. Called after every turn, and at least once a second.
     */
    public long ask(long now) {
        if (question.asked() && now - question.lastAnswer() >= settings.answerTimeout()) {
            replayFailed(now);
        }
        if (!question.open() && replayable && patience.mayAsk(now)) {
            if (lost && patience.failing()) {
                question.want(0, Question.Why.REBUILD);
            } else if (!begun || patience.idle(now)) {
                question.want(checkpoint(), begun ? Question.Why.CHECK : Question.Why.GAP);
            }
        }
        long start = question.pose(next, now);
        state = currentState(now);
        status = currentStatus();
        return start;
    }

    private void settle(long now) {
        recover();
        state = currentState(now);
    }

    private StreamState currentState(long now) {
        if (!writer.fits()) {
            return StreamState.WRONG_BLOCK_SIZE;
        }
        if (patience.silent(now)) {
            return StreamState.SILENT;
        }
        if (!begun || (question.open() && question.why() != Question.Why.CHECK)) {
            return StreamState.SYNCING;
        }
        return lost ? StreamState.SUSPECT : StreamState.LIVE;
    }

    private StreamStatus currentStatus() {
        return new StreamStatus(
                state,
                writer.counts(),
                tally.counts(),
                writer.cache().blocks(),
                next - 1,
                Math.max(0, highest + 1 - next),
                writer.engineBlockSize());
    }

    public StreamState state() {
        return state;
    }

    /** As of the last {@link #ask}. */
    public StreamStatus status() {
        return status;
    }

    /** All of the rank's blocks leave the index. Not to be used afterwards. */
    public void close() {
        writer.close();
    }
}
