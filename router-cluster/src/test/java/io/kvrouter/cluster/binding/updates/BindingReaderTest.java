package io.kvrouter.cluster.binding.updates;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.cluster.binding.BindingReplica;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.Known;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class BindingReaderTest {
    private static final WorkerId A = new WorkerId("a");
    private static final WorkerId B = new WorkerId("b");

    private final BindingReplica replica = new BindingReplica();
    private final BindingChanges changes = BindingChanges.of(replica, 4);

    @Test
    void beginsWithASnapshotOfAllSessions() {
        bind(1, 10, A, 100);
        bind(2, 10, B, 100);

        assertThat(read(reader(OptionalLong.empty())))
                .containsExactly("snapshot", "1 a@10 until 100", "2 b@10 until 100", "end 2");
    }

    @Test
    void thenTellsVersionsRefreshesAndRemovals() {
        bind(1, 10, A, 100);
        var reader = reader(OptionalLong.empty());
        read(reader);

        bind(1, 10, A, 150);
        bind(2, 10, B, 100);
        remove(1, 11, 150);

        assertThat(read(reader)).containsExactly("2 b@10 until 100 #3", "1 removed@11 #4");
    }

    @Test
    void tellsOnceWhatComesOnBothWays() {
        bind(1, 10, A, 100);
        var row = replica.row(key(1)).orElseThrow();

        replica.merge(row);
        replica.merge(key(1).table(), BindingTable.of(row));

        assertThat(read(reader(OptionalLong.of(0)))).containsExactly("1 a@10 until 100 #1");
    }

    @Test
    void tellsWhatWasForgottenUnremoved() {
        bind(1, 10, A, 100);
        remove(2, 10, 100);
        var reader = reader(OptionalLong.empty());
        read(reader);

        replica.merge(key(1).table(), BindingTable.of(100, List.of()));
        replica.merge(key(2).table(), BindingTable.of(100, List.of()));

        assertThat(read(reader)).containsExactly("1 expired #3");
    }

    @Test
    void goesOnWhereItWas() {
        bind(1, 10, A, 100);
        bind(2, 10, A, 100);

        assertThat(read(reader(OptionalLong.of(1)))).containsExactly("2 a@10 until 100 #2");
        assertThat(read(reader(OptionalLong.of(2)))).isEmpty();
    }

    @Test
    void beginsAnewWhereTooMuchWasForgottenOrTheNumberIsNobodys() {
        for (int i = 1; i <= 6; i++) {
            bind(i, 10, A, 100);
        }

        assertThat(read(reader(OptionalLong.of(1)))).startsWith("snapshot").endsWith("end 6");
        assertThat(read(reader(OptionalLong.of(7)))).startsWith("snapshot").endsWith("end 6");
        assertThat(read(reader(OptionalLong.of(2)))).hasSize(4);
    }

    @Test
    void aSlowReaderGetsTheNewestStateAndNoQueue() {
        bind(1, 10, A, 100);
        var reader = reader(OptionalLong.empty());
        read(reader);

        for (int version = 11; version < 1_000; version++) {
            bind(1, version, version % 2 == 0 ? A : B, 100 + version);
        }

        assertThat(changes.size()).isEqualTo(1);
        assertThat(read(reader)).containsExactly("1 b@999 until 1099 #990");
    }

    /** However reading and changing interleave, and wherever it is cut and resumed: what the reader knows in the end is so. */
    @RepeatedTest(100)
    void missesNoFinalState(RepetitionInfo run) {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(run.getCurrentRepetition());
        var known = new HashMap<SessionKey, Known>();
        var resume = OptionalLong.empty();
        var reader = reader(resume);
        for (int i = 1; i <= 400; i++) {
            if (random.nextInt(4) > 0) {
                int key = random.nextInt(8);
                change(key, i, random.nextInt(4));
            }
            for (int reads = random.nextInt(4); reads > 0; reads--) {
                resume = learn(known, reader.next(), resume);
            }
            if (random.nextInt(30) == 0) {
                reader = reader(resume);
            }
        }
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            resume = learn(known, next, resume);
        }
        for (int key = 0; key < 8; key++) {
            var row = replica.row(key(key)).filter(found -> !found.removed());
            assertThat(Optional.ofNullable(known.get(key(key)))).isEqualTo(row.map(BindingRow::known));
        }
    }

    private void change(int key, int version, int what) {
        if (what == 0) {
            remove(key, version, version + 50);
        } else if (what == 1) {
            replica.merge(key(key).table(), BindingTable.of(version, List.of()));
        } else {
            bind(key, version, what == 2 ? A : B, version + 50);
        }
    }

    private static OptionalLong learn(Map<SessionKey, Known> known, Optional<BindingUpdate> next, OptionalLong before) {
        if (next.isEmpty()) {
            return before;
        }
        switch (next.get()) {
            case BindingUpdate.SnapshotBegins begins -> known.clear();
            case BindingUpdate.SnapshotEnds ends -> {}
            case BindingUpdate.State(BindingRow row, var number) -> {
                if (row.removed()) {
                    known.remove(row.key());
                } else {
                    known.put(row.key(), row.known());
                }
            }
            case BindingUpdate.Expired(SessionKey key, long at) -> known.remove(key);
        }
        return next.get().number().isPresent() ? next.get().number() : before;
    }

    private BindingReader reader(OptionalLong after) {
        return new BindingReader(replica, changes, after);
    }

    private static List<String> read(BindingReader reader) {
        var all = new ArrayList<String>();
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            all.add(text(next.get()));
        }
        return all;
    }

    private static String text(BindingUpdate update) {
        return switch (update) {
            case BindingUpdate.SnapshotBegins begins -> "snapshot";
            case BindingUpdate.SnapshotEnds(long at) -> "end " + at;
            case BindingUpdate.Expired(SessionKey key, long at) -> key.high() + " expired #" + at;
            case BindingUpdate.State(BindingRow row, var number) ->
                row.key().high()
                        + (row.removed()
                                ? " removed@" + row.version()
                                : " " + row.worker() + "@" + row.version() + " until " + row.deadlineMs())
                        + (number.isPresent() ? " #" + number.getAsLong() : "");
        };
    }

    private void bind(int key, long version, WorkerId worker, long deadline) {
        replica.merge(new BindingRow(key(key), version, worker, 0, deadline));
    }

    private void remove(int key, long version, long deadline) {
        replica.merge(new BindingRow(key(key), version, null, 0, deadline));
    }

    private static SessionKey key(int number) {
        return new SessionKey(number, number % 3);
    }
}
