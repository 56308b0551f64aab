package io.kvrouter.kv.stream;

import static io.kvrouter.kv.stream.FakeEngine.removed;
import static io.kvrouter.kv.stream.FakeEngine.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.event.KvEvent;
import io.kvrouter.kv.stream.FakeEngine.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An engine that stores and removes at random, and a network that drops, repeats and reorders: as soon as the stream says
 * that it is live, it knows exactly what the engine holds; and it never knows more.
 */
@NullMarked
class StreamModelTest extends FollowedEngine {
    private static final int STEPS = 400;

    private final Set<Long> held = new LinkedHashSet<>();
    private final List<Message> underWay = new ArrayList<>();
    private long hashes;
    private long now = NOW;

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void knowsWhatTheEngineHoldsAfterEveryFault(int seed) {
        var random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            engineStep(random);
            networkStep(random);
            now += random.nextInt(2_000);
            if (random.nextInt(4) == 0) {
                engine.answer(stream, now);
                compare();
            }
        }
        underWay.forEach(this::deliver);
        engine.answer(stream, now);
        now += SETTINGS.idleCheck() + 400_000;
        engine.answer(stream, now);

        compare();
        assertThat(stream.state()).isIn(StreamState.LIVE, StreamState.SUSPECT);
    }

    private void engineStep(Random random) {
        switch (random.nextInt(60)) {
            case 0 -> restart(random);
            case 1 -> publish(new KvEvent.AllCleared());
            case 2 -> engine.forgetBefore(random.nextInt(STEPS));
            default -> publish(random.nextInt(3) == 0 ? removal(random) : store(random));
        }
    }

    /** What the old connection still delivers comes before anything of the new one. */
    private void restart(Random random) {
        underWay.stream().limit(random.nextInt(underWay.size() + 1)).forEach(this::deliver);
        underWay.clear();
        stream.interrupted();
        engine.restart();
        held.clear();
    }

    private void publish(KvEvent event) {
        if (event instanceof KvEvent.AllCleared) {
            held.clear();
        }
        underWay.add(engine.publish(event));
    }

    private KvEvent store(Random random) {
        @Nullable Long parent = held.isEmpty() || random.nextBoolean() ? null : any(random);
        long first = ++hashes;
        long second = ++hashes;
        held.add(first);
        held.add(second);
        return stored(parent, first, second);
    }

    private KvEvent removal(Random random) {
        if (held.isEmpty()) {
            return removed(999_999);
        }
        long hash = any(random);
        held.remove(hash);
        return removed(hash);
    }

    private long any(Random random) {
        return held.stream().skip(random.nextInt(held.size())).findFirst().orElseThrow();
    }

    private void networkStep(Random random) {
        while (!underWay.isEmpty() && random.nextInt(3) > 0) {
            boolean reorder = underWay.size() > 1 && random.nextInt(12) == 0;
            Message message = underWay.remove(reorder ? 1 : 0);
            if (random.nextInt(10) > 0) {
                deliver(message);
            }
            if (random.nextInt(15) == 0) {
                deliver(message);
            }
        }
    }

    private void deliver(Message message) {
        stream.live(message.sequence(), message.payload(), now);
    }

    /** Removing what the engine holds must leave nothing, and find all of it where the stream is up to date. */
    private void compare() {
        Set<Long> known = new LinkedHashSet<>();
        stream.export().chunks().forEach(chunk -> {
            for (int row = 0; row < chunk.blocks().rows(); row++) {
                if ((chunk.blocks().marks(row) & 7) != 0) {
                    known.add(chunk.blocks().engineHash(row));
                }
            }
        });
        boolean upToDate = underWay.isEmpty() && stream.status().lag() == 0;
        if (upToDate
                && stream.state() == StreamState.LIVE
                && engine.next() == stream.status().lastSequence() + 1) {
            assertThat(known).isEqualTo(held);
        } else if (upToDate
                && stream.state() == StreamState.SUSPECT
                && engine.next() == stream.status().lastSequence() + 1) {
            assertThat(held).containsAll(known);
        }
    }
}
