package io.kvrouter.kv.stream;

import io.kvrouter.kv.event.BatchDecoder;
import io.kvrouter.kv.event.CacheChunk;
import io.kvrouter.kv.event.CacheWriter;
import io.kvrouter.kv.event.KvEvent;
import java.util.ArrayList;
import java.util.List;

/** Which of a rank's batches were applied to its cache, and whether all before them were. */
final class Applied {
    private final CacheWriter writer;
    private final BatchDecoder decoder;
    private final StreamTally tally;
    private final RecentBatches recent = new RecentBatches();

    private long next;
    private long highest = RankStream.NONE;
    private boolean lost;
    private boolean begun;

    Applied(CacheWriter writer, BatchDecoder decoder, StreamTally tally) {
        this.writer = writer;
        this.decoder = decoder;
        this.tally = tally;
    }

    /** The sequence number of the first batch that was not applied. */
    long next() {
        return next;
    }

    /** A batch came, whether it can be applied or not. */
    void saw(long sequence) {
        highest = Math.max(highest, sequence);
    }

    /** Batches that were heard of and not applied. */
    long lag() {
        return Math.max(0, highest + 1 - next);
    }

    /** Batches are missing that can't be had any more. */
    boolean lost() {
        return lost;
    }

    /** Something is known of the engine's cache, if only that it is empty. */
    boolean begun() {
        return begun;
    }

    /** The engine was heard: from here on the cache is what its batches say. */
    void begin() {
        begun = true;
    }

    /** The last batch that was applied: asked for again, it shows whether the engine is still the same. */
    long checkpoint() {
        return Math.max(0, next - 1);
    }

    /** This very batch was applied. */
    boolean has(long sequence, byte[] payload) {
        return recent.has(sequence, payload);
    }

    /** Another batch was applied under this number. */
    boolean contradicts(long sequence, byte[] payload) {
        return recent.contradicts(sequence, payload);
    }

    void apply(long sequence, byte[] payload) {
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
    void restart() {
        tally.restart();
        writer.newLife();
        recent.forget();
        next = 0;
        highest = RankStream.NONE;
        lost = false;
    }

    /** All before this batch is gone: never pretend to know what it said. */
    void lose(long sequence) {
        tally.clear();
        writer.clear();
        recent.forget();
        lost = true;
        next = sequence;
    }

    /** A parent is unknown for good. What is there is right. */
    void incomplete() {
        lost = true;
    }

    /** All is read again. If the engine's first batch is there all are; else what is there stays, if known to be short. */
    void rebuild(long first) {
        if (first == 0) {
            writer.clear();
            recent.forget();
            next = 0;
            lost = false;
        } else if (!lost) {
            lose(first);
        }
    }

    RankSnapshot export() {
        List<CacheChunk> chunks = new ArrayList<>();
        writer.export(chunks::add);
        return new RankSnapshot(
                new RankSnapshot.Place(next, recent.fingerprintOf(next - 1), lost, writer.group()), chunks);
    }

    void restore(RankSnapshot snapshot) {
        var place = snapshot.place();
        writer.restore(snapshot.chunks(), place.group());
        recent.forget();
        next = place.next();
        lost = place.lost();
        begun = true;
        if (place.fingerprint() != 0) {
            recent.add(next - 1, place.fingerprint());
        }
    }
}
