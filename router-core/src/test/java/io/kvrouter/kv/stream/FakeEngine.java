package io.kvrouter.kv.stream;

import io.kvrouter.kv.event.BlocksRemoved;
import io.kvrouter.kv.event.BlocksStored;
import io.kvrouter.kv.event.KvEvent;
import io.kvrouter.kv.event.Lineage;
import io.kvrouter.kv.event.Placement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Publishes batches whose events are looked up, so that streams are tested without an encoding. */
@NullMarked
final class FakeEngine {
    static final int BLOCK_SIZE = 4;

    /** A published batch. */
    record Message(long sequence, int id) {
        byte[] payload() {
            return ByteBuffer.allocate(Integer.BYTES).putInt(id).array();
        }
    }

    private final Map<Integer, List<KvEvent>> events = new HashMap<>();
    private final List<Message> buffer = new ArrayList<>();
    private long sequence;

    List<KvEvent> decode(byte[] payload) {
        return events.getOrDefault(ByteBuffer.wrap(payload).getInt(), List.of());
    }

    Message publish(KvEvent... batch) {
        int id = events.size();
        events.put(id, List.of(batch));
        var message = new Message(sequence++, id);
        buffer.add(message);
        return message;
    }

    /** The number that the next batch will have. */
    long next() {
        return sequence;
    }

    /** Counts from 0 again, with nothing to replay. */
    void restart() {
        sequence = 0;
        buffer.clear();
    }

    /** The oldest batches can't be replayed any more. */
    void forgetBefore(long first) {
        buffer.removeIf(message -> message.sequence() < first);
    }

    List<Message> replay(long start) {
        return buffer.stream().filter(message -> message.sequence() >= start).toList();
    }

    /** Answers what the stream asks, until it asks nothing more. */
    void answer(RankStream stream, long now) {
        int questions = 0;
        for (long start = stream.ask(now); start != RankStream.NONE; start = stream.ask(now)) {
            if (++questions > 1_000) {
                throw new AssertionError("asks for ever: from " + start + " of " + sequence + ", buffered "
                        + buffer.stream().map(Message::sequence).toList() + ", " + stream.status());
            }
            replay(start).forEach(message -> stream.replayed(message.sequence(), message.payload(), now));
            stream.replayEnded(now);
        }
    }

    static int[] tokens(int... firsts) {
        int[] tokens = new int[firsts.length * BLOCK_SIZE];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = firsts[i / BLOCK_SIZE] * 10 + i % BLOCK_SIZE;
        }
        return tokens;
    }

    static int[] tokensOf(long... hashes) {
        int[] firsts = new int[hashes.length];
        for (int i = 0; i < hashes.length; i++) {
            firsts[i] = (int) hashes[i];
        }
        return tokens(firsts);
    }

    /** Blocks whose tokens follow from their hashes. */
    static BlocksStored stored(@Nullable Long parent, long... hashes) {
        return new BlocksStored(
                hashes, tokensOf(hashes), BLOCK_SIZE, new Lineage(parent, "", List.of()), Placement.DEVICE);
    }

    static BlocksRemoved removed(long... hashes) {
        return new BlocksRemoved(hashes, Placement.DEVICE);
    }
}
