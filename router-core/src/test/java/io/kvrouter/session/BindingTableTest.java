package io.kvrouter.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class BindingTableTest {
    private static final WorkerId A = new WorkerId("a");
    private static final WorkerId B = new WorkerId("b");
    private static final SessionKey KEY = new SessionKey(1, 2);
    private static final Comparator<BindingRow> GREATEST = Comparator.comparingLong(BindingRow::version)
            .thenComparingLong(BindingRow::deadlineMs)
            .thenComparing(BindingRow::worker, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparingInt(BindingRow::rank);

    @Test
    void findsTheRowOfEachSession() {
        var rows =
                List.of(row(new SessionKey(-1, 5), 1, A, 10), row(new SessionKey(3, -5), 1, B, 10), row(KEY, 1, A, 10));

        var table = BindingTable.of(0, rows);

        assertThat(rows).allSatisfy(row -> assertThat(table.row(row.key())).contains(row));
        assertThat(table.row(new SessionKey(9, 9))).isEmpty();
    }

    @Test
    void keepsTheNewerVersionThoughItsWorkerIsLess() {
        var merged = BindingTable.of(row(KEY, 1, B, 10)).merge(BindingTable.of(row(KEY, 2, A, 10)));

        assertThat(merged.row(KEY)).contains(row(KEY, 2, A, 10));
    }

    @Test
    void aRefreshKeepsTheVersionAndMovesTheDeadline() {
        var merged = BindingTable.of(row(KEY, 2, A, 30)).merge(BindingTable.of(row(KEY, 2, A, 20)));

        assertThat(merged.row(KEY)).contains(row(KEY, 2, A, 30));
    }

    @Test
    void forgetsWhatIsDueToTheFloorForEver() {
        var old = BindingTable.of(row(KEY, 1, A, 10));

        var raised = old.raiseFloor(10);

        assertThat(raised.merge(old).size()).isZero();
        assertThat(raised.merge(old)).isEqualTo(raised);
    }

    @Test
    void aLowerFloorChangesNothing() {
        var table = BindingTable.of(5, List.of(row(KEY, 1, A, 10)));

        assertThat(table.raiseFloor(3)).isEqualTo(table);
    }

    @Test
    void tellsWhetherAFloorWouldForgetAnything() {
        var table = BindingTable.of(row(KEY, 1, A, 10));

        assertThat(table.due(9)).isFalse();
        assertThat(table.due(10)).isTrue();
    }

    @Test
    void isReadOnFromAnyKeyThoughItsRowIsGone() {
        var table =
                BindingTable.of(0, List.of(row(new SessionKey(1, 1), 1, A, 10), row(new SessionKey(1, 5), 1, B, 10)));

        assertThat(table.after(new SessionKey(0, 9))).isZero();
        assertThat(table.after(new SessionKey(1, 1))).isEqualTo(1);
        assertThat(table.after(new SessionKey(1, 3))).isEqualTo(1);
        assertThat(table.after(new SessionKey(1, 5))).isEqualTo(2);
        assertThat(table.after(new SessionKey(-1, 0))).isEqualTo(2);
        assertThat(table.workerAt(1, 9)).isEqualTo(B);
        assertThat(table.workerAt(1, 10)).isNull();
    }

    @Test
    void countsOnlySessionsThatLiveSomewhere() {
        var rows = List.of(
                row(new SessionKey(1, 1), 1, A, 10),
                new BindingRow(new SessionKey(1, 2), 1, null, 0, 10),
                row(new SessionKey(1, 3), 1, B, 5));

        assertThat(BindingTable.of(0, rows).live(7)).isEqualTo(1);
    }

    @Test
    void refusesRowsThatAreNotInOrder() {
        var rows = List.of(row(new SessionKey(2, 1), 1, A, 10), row(new SessionKey(1, 1), 1, A, 10))
                .iterator();

        assertThatThrownBy(() -> BindingTable.inOrder(0, 2, rows::next)).hasMessageContaining("expected: ascending");
    }

    @Nested
    class Bound {
        private final BindingTable table = BindingTable.of(
                3,
                List.of(
                        row(new SessionKey(1, 1), 1, A, 40),
                        row(new SessionKey(2, 1), 1, A, 20),
                        row(new SessionKey(3, 1), 1, A, 30),
                        row(new SessionKey(4, 1), 1, A, 20)));

        @Test
        void theRowsNearestToTheirDeadlineGo() {
            var bounded = table.raiseFloor(table.floorFor(2));

            assertThat(rows(bounded)).extracting(BindingRow::deadlineMs).containsExactly(40L, 30L);
        }

        @Test
        void rowsOfOneDeadlineGoTogether() {
            assertThat(table.raiseFloor(table.floorFor(3)).size()).isEqualTo(2);
        }

        @Test
        void aTableWithinItsBoundKeepsItsFloor() {
            assertThat(table.floorFor(4)).isEqualTo(3);
        }
    }

    @Nested
    class MergeOfRowsThatActorsMake {
        @RepeatedTest(150)
        void agreesWithANaiveModelWhateverTheSizes(RepetitionInfo run) {
            var random = random(3_000L + run.getCurrentRepetition());
            var history = new History(random, 300);
            int few = 1 + random.nextInt(20);
            var a = history.table(random.nextInt(few));
            var b = history.table(random.nextInt(20));

            var merged = a.merge(b);

            assertThat(rows(merged)).containsExactlyElementsOf(naive(List.of(a, b)));
            assertThat(merged).isEqualTo(b.merge(a));
            assertThat(merged.merge(a)).isSameAs(merged);
            assertThat(a.merge(merged)).isEqualTo(merged);
            assertThat(rows(a.beyond(b)))
                    .containsExactlyElementsOf(rows(a).stream()
                            .filter(row -> row.deadlineMs() > b.floor() && above(row, b))
                            .toList());
        }

        /** The other table has nothing as great of that session. */
        private static boolean above(BindingRow row, BindingTable other) {
            return other.row(row.key())
                    .filter(r -> GREATEST.compare(r, row) >= 0)
                    .isEmpty();
        }

        @RepeatedTest(200)
        void isCommutativeAssociativeAndIdempotent(RepetitionInfo run) {
            var history = new History(random(run.getCurrentRepetition()));
            var a = history.table();
            var b = history.table();
            var c = history.table();

            assertThat(a.merge(b)).isEqualTo(b.merge(a));
            assertThat(a.merge(b).merge(c)).isEqualTo(a.merge(b.merge(c)));
            assertThat(a.merge(a)).isEqualTo(a);
            assertThat(a.merge(b).merge(b)).isEqualTo(a.merge(b));
        }

        @RepeatedTest(100)
        void comesToTheSameByDeltasInAnyOrderAsByTheWholeTable(RepetitionInfo run) {
            var random = random(1_000L + run.getCurrentRepetition());
            var history = new History(random);
            var deltas = new ArrayList<BindingTable>();
            for (int i = 0; i < 12; i++) {
                deltas.add(history.table());
            }
            var whole = deltas.stream().reduce(BindingTable.EMPTY, BindingTable::merge);
            Collections.shuffle(deltas, Random.from(random));
            deltas.addAll(deltas.subList(0, 4));

            assertThat(deltas.stream().reduce(BindingTable.EMPTY, BindingTable::merge))
                    .isEqualTo(whole);
        }

        @RepeatedTest(100)
        void agreesWithANaiveModel(RepetitionInfo run) {
            var history = new History(random(2_000L + run.getCurrentRepetition()));
            var tables = List.of(history.table(), history.table(), history.table(), history.table());

            var merged = tables.stream().reduce(BindingTable.EMPTY, BindingTable::merge);

            assertThat(rows(merged)).containsExactlyInAnyOrderElementsOf(naive(tables));
        }
    }

    private static List<BindingRow> naive(List<BindingTable> tables) {
        long floor = tables.stream().mapToLong(BindingTable::floor).max().orElse(0);
        Map<SessionKey, BindingRow> best = new HashMap<>();
        tables.forEach(table ->
                rows(table).forEach(row -> best.merge(row.key(), row, (x, y) -> GREATEST.compare(x, y) >= 0 ? x : y)));
        return best.values().stream()
                .filter(row -> row.deadlineMs() > floor)
                .sorted(Comparator.comparing(BindingRow::key))
                .toList();
    }

    private static List<BindingRow> rows(BindingTable table) {
        var rows = new ArrayList<BindingRow>();
        for (int i = 0; i < table.size(); i++) {
            rows.add(table.row(i));
        }
        return rows;
    }

    private static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static BindingRow row(SessionKey key, long version, WorkerId worker, long deadline) {
        return new BindingRow(key, version, worker, 0, deadline);
    }

    /** Rows of a few sessions as their actors make them: a newer version never has an earlier deadline. */
    private static final class History {
        private final RandomGenerator random;
        private final List<List<BindingRow>> sessions = new ArrayList<>();

        History(RandomGenerator random) {
            this(random, 8);
        }

        History(RandomGenerator random, int size) {
            this.random = random;
            for (int i = 0; i < size; i++) {
                sessions.add(life(new SessionKey(random.nextLong(), i)));
            }
        }

        private List<BindingRow> life(SessionKey key) {
            var life = new ArrayList<BindingRow>();
            long deadline = random.nextLong(1, 51);
            for (long version = 1; version < 6; version++) {
                var worker = random.nextInt(3) == 0 ? null : random.nextBoolean() ? A : B;
                for (int refresh = random.nextInt(3); refresh >= 0; refresh--) {
                    life.add(new BindingRow(key, version, worker, 0, deadline));
                    deadline += random.nextInt(20);
                }
            }
            return life;
        }

        /** One node's view: some moment of each session's life, or none, under some floor. */
        BindingTable table() {
            return table(15);
        }

        /** One with so many twentieths of the sessions. */
        BindingTable table(int share) {
            var rows = new ArrayList<BindingRow>();
            for (List<BindingRow> life : sessions) {
                if (random.nextInt(20) < share) {
                    rows.add(life.get(random.nextInt(life.size())));
                }
            }
            return BindingTable.of(random.nextInt(3) == 0 ? random.nextInt(120) : 0, rows);
        }
    }
}
