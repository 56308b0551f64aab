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
    private final StreamSettings settings;
    private final boolean replayable;

    private final Applied applied;
    private final PendingBatches pending;
    private final StreamTally tally = new StreamTally();
    private final Question question = new Question();
    private final Patience patience;
    private final Shown shown;
    private long asked;
    private boolean unverified;

    /**
     * @param writer owned by this stream from now on
     * @param replayable whether the engine can be asked for earlier batches
     * @param now ms of any clock that does not jump
     */
    public RankStream(CacheWriter writer, BatchDecoder decoder, StreamSettings settings, boolean replayable, long now) {
        this.writer = writer;
        this.settings = settings;
        this.replayable = replayable;
        this.applied = new Applied(writer, decoder, tally);
        this.patience = new Patience(settings, now);
        this.pending = new PendingBatches(settings.pendingBytes());
        if (replayable) {
            question.want(0, Question.Why.GAP);
        }
        this.shown = new Shown(writer, applied, question, patience, tally);
    }

    /** A batch was published. */
    public void live(long sequence, byte[] payload, long now) {
        patience.hear(now);
        applied.saw(sequence);
        if (unverified && !question.open() && replayable && patience.worthAsking(now)) {
            question.want(applied.checkpoint(), Question.Why.CHECK);
        }
        if (question.open()) {
            pending.add(sequence, payload);
        } else {
            accept(pending.batch(sequence, payload), now);
        }
        settle(now);
    }

    /**
     * The connection broke: what comes next may come from an engine that was restarted, even if its number fits. What
     * waited is asked for again.
     */
    public void interrupted() {
        if (replayable) {
            pending.clear();
            unverified = applied.next() > 0;
            question.repeat(applied.checkpoint());
        }
    }

    /** A batch came as the answer to the replay that was asked for last. */
    public void replayed(long sequence, byte[] payload, long now) {
        patience.hear(now);
        applied.saw(sequence);
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
            applied.rebuild(sequence);
        }
        long next = applied.next();
        if (sequence < next) {
            if (applied.contradicts(sequence, payload)) {
                applied.restart();
                question.want(0, Question.Why.GAP);
            }
        } else if (sequence == next && !(unverified && next > 0 && question.isFirstAnswer())) {
            applied.apply(sequence, payload);
        } else if (question.progressed(next)) {
            question.want(applied.checkpoint(), Question.Why.GAP); // the engine's socket dropped answers: ask on
        } else { // the batch that would follow, or the one before it that would prove whose they are, is gone
            applied.lose(sequence);
            applied.apply(sequence, payload);
        }
    }

    /** The replay that was asked for last is over. */
    public void replayEnded(long now) {
        patience.hear(now);
        if (question.asked()) {
            applied.begin();
            patience.succeeded();
            unverified = false;
            boolean nothing = question.answers() == 0 && applied.next() > 0;
            boolean progressed = question.progressed(applied.next());
            long start = question.start();
            question.close();
            if (nothing) { // it does not know the last batch that was applied: another life
                applied.restart();
            }
            if (nothing && start > 0) {
                question.want(0, Question.Why.GAP);
            } else {
                drain(progressed, now);
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
            drain(false, now);
        }
        settle(now);
    }

    /** Applies what waited. What is still missing after a replay that brought nothing new is lost. */
    private void drain(boolean progressed, long now) {
        if (!progressed && !pending.isEmpty() && pending.firstSequence() > applied.next()) {
            applied.lose(pending.firstSequence());
        }
        long last = NONE;
        while (!pending.isEmpty() && !question.open()) {
            Batch batch = pending.take();
            boolean answeredAlready = batch.sequence() < applied.next() && isOld(batch, last);
            last = batch.sequence();
            if (!answeredAlready) {
                accept(batch, now);
            }
        }
    }

    /** The answers have brought it, or say otherwise of an engine that was restarted since it came. */
    private boolean isOld(Batch batch, long last) {
        return applied.contradicts(batch.sequence(), batch.payload())
                ? batch.isOlderThan(asked)
                : batch.sequence() > last;
    }

    private void accept(Batch batch, long now) {
        long sequence = batch.sequence();
        if (sequence < applied.next()) {
            if (applied.has(sequence, batch.payload())) {
                tally.repeat();
                return;
            }
            applied.restart();
            applied.saw(sequence);
        }
        if (sequence > applied.next()) {
            tally.gap();
            if (replayable && patience.worthAsking(now)) {
                pending.putBack(batch);
                question.want(applied.checkpoint(), Question.Why.GAP);
                return;
            }
            applied.lose(sequence);
        }
        applied.apply(sequence, batch.payload());
    }

    /** A parent that is not known, though no batch is missing and none was dropped here: read everything again, once. */
    private void recover() {
        if (!writer.orphaned() || applied.lost()) {
            return;
        }
        if (!replayable || (question.asked() && question.start() == 0)) {
            applied.incomplete();
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
        if (question.held() && now >= question.heldUntil()) {
            letGo(now);
        }
        if (!question.open() && replayable && patience.mayAsk(now)) {
            if (applied.lost() && patience.failing()) {
                question.want(0, Question.Why.REBUILD);
            } else if (!applied.begun() || unverified || patience.idle(now)) {
                question.want(applied.checkpoint(), applied.begun() ? Question.Why.CHECK : Question.Why.GAP);
            }
        }
        long start = question.pose(applied.next(), now);
        asked = start == NONE ? asked : pending.mark();
        shown.update(now);
        return start;
    }

    /**
     * Another node may know more of the rank: from now on batches wait for what it sends, at most until a time. Then, or
     * when {@link #letGo} says that there is nothing, the stream goes on by itself.
     */
    public void hold(long until) {
        question.hold(until);
    }

    /** Whether this stream can't help itself: it knows the engine's past in part, or not at all. */
    public boolean wantsHelp() {
        return shown.helpless();
    }

    /** No other node knows more. */
    public void letGo(long now) {
        if (question.held()) {
            question.close();
            if (replayable) {
                question.want(applied.checkpoint(), Question.Why.GAP);
            } else {
                drain(false, now);
            }
        }
        settle(now);
    }

    /** What this node knows of the rank. */
    public RankSnapshot export() {
        return applied.export();
    }

    /** Begins with what another node knows, as was held for; the engine tells the rest. */
    public void restore(RankSnapshot snapshot, long now) {
        if (question.held()) {
            applied.restore(snapshot);
            letGo(now);
        }
    }

    private void settle(long now) {
        recover();
        shown.updateState(now);
    }

    public StreamState state() {
        return shown.state();
    }

    /** As of the last {@link #ask}. */
    public StreamStatus status() {
        return shown.status();
    }

    /** All of the rank's blocks leave the index. Not to be used afterwards. */
    public void close() {
        writer.close();
    }
}
