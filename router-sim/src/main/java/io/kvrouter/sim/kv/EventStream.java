package io.kvrouter.sim.kv;

import io.kvrouter.sim.engine.KvEvent;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One rank's stream: numbers its batches, keeps them for replays, and lets go wrong what was ordered. Whatever goes
 * wrong on the way to the subscribers, a replay has each batch once and in order. Not thread-safe.
 */
final class EventStream {
    private final BatchFormat format;
    private final ReplayBuffer replay;
    private final RandomGenerator random;
    private final Consumer<Sequenced> wire;
    private long next;
    private int drops;
    private double dropShare;
    private int repeats;
    private int reorders;
    private int malformed;
    private @Nullable Sequenced held;

    EventStream(BatchFormat format, ReplayBuffer replay, RandomGenerator random, Consumer<Sequenced> wire) {
        this.format = format;
        this.replay = replay;
        this.random = random;
        this.wire = wire;
    }

    /** @param atS time of the batch, seconds since 1970 */
    void publish(List<KvEvent> events, double atS) {
        append(malformed > 0 ? format.batchWithBrokenEvents(events, atS) : format.batch(events, atS));
        malformed = Math.max(0, malformed - 1);
    }

    void order(StreamFault fault) {
        switch (fault) {
            case StreamFault.Drop drop -> drops = drop.batches();
            case StreamFault.DropShare drop -> dropShare = drop.share();
            case StreamFault.Repeat repeat -> repeats = repeat.batches();
            case StreamFault.Reorder reorder -> reorders = reorder.times();
            case StreamFault.Restart ignored -> restart();
            case StreamFault.MalformedBatches garbage -> {
                for (int i = 0; i < garbage.batches(); i++) {
                    append(Garbage.batch(i));
                }
            }
            case StreamFault.MalformedEvents events -> malformed = events.batches();
            case StreamFault.ReplayFrom from -> replay.cutBefore(from.sequence());
        }
    }

    /** As a new process: no fault is left either. */
    void restart() {
        next = 0;
        replay.clear();
        drops = 0;
        dropShare = 0;
        repeats = 0;
        reorders = 0;
        malformed = 0;
        held = null;
    }

    /** Of the last batch; -1 = none yet. */
    long lastSequence() {
        return next - 1;
    }

    List<Sequenced> replay(long from) {
        return replay.from(from);
    }

    private void append(byte[] payload) {
        var batch = new Sequenced(next++, payload);
        replay.add(batch);
        if (drops > 0) {
            drops--;
        } else if (dropShare == 0 || random.nextDouble() >= dropShare) {
            send(batch);
        }
    }

    private void send(Sequenced batch) {
        Sequenced late = held;
        if (late == null && reorders > 0) {
            reorders--;
            held = batch;
            return;
        }
        held = null;
        wire.accept(batch);
        if (repeats > 0) {
            repeats--;
            wire.accept(batch);
        }
        if (late != null) {
            wire.accept(late);
        }
    }
}
