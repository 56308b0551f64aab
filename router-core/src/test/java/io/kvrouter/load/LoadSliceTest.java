package io.kvrouter.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.kv.BlockHashes;
import io.kvrouter.kv.Chain;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoadSliceTest {
    private static final int WORKERS = 12;

    @Test
    void aNewerRowReplacesAnOlderOneInEitherOrder() {
        LoadSlice older = slice(5, 0, 1, 5, 7, 70, 700, 0);
        LoadSlice newer = slice(6, 0, 1, 6, 1, 10, 100, 0);

        assertThat(older.merge(newer).loadOf(1)).isEqualTo(new WorkerLoad(1, 10, 100));
        assertThat(newer.merge(older)).isEqualTo(older.merge(newer));
    }

    @Test
    void rowsUpToTheFloorAreDroppedAndDoNotComeBack() {
        LoadSlice late = slice(5, 0, 1, 5, 7, 70, 700, 0);
        LoadSlice whole = slice(9, 8, 2, 9, 1, 1, 1, 0);

        LoadSlice merged = whole.merge(late);

        assertThat(merged.size()).isEqualTo(1);
        assertThat(merged.loadOf(1)).isEqualTo(WorkerLoad.NONE);
        assertThat(merged.loadOf(2)).isEqualTo(new WorkerLoad(1, 1, 1));
    }

    @Test
    void rowsOutOfOrderAreRefused() {
        assertThatThrownBy(() -> slice(1, 0, 2, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ordered by key");
    }

    @Test
    void updatesInAnyOrderGroupingAndRepetitionComeToTheSame() {
        for (int seed = 0; seed < 200; seed++) {
            var node = new Node(seed);
            List<LoadSlice> updates = new ArrayList<>(node.run(40));
            Random random = new Random(seed);
            updates.addAll(updates.subList(0, 20)); // repeated
            Collections.shuffle(updates, random);

            assertThat(mergeInGroups(updates, random)).isEqualTo(node.writer.current());
        }
    }

    @Test
    void whatWasLostHealsWithTheNextWholeSlice() {
        for (int seed = 0; seed < 200; seed++) {
            var node = new Node(seed);
            Random random = new Random(seed);
            List<LoadSlice> updates = new ArrayList<>(node.run(40));
            updates.removeIf(lost -> random.nextInt(3) == 0);
            updates.add(node.writer.whole(1_000_000));
            Collections.shuffle(updates, random);

            LoadSlice seen = mergeInGroups(updates, random);

            assertThat(seen).isEqualTo(node.writer.current());
            for (int worker = 0; worker < WORKERS; worker++) {
                assertThat(seen.loadOf(worker)).isEqualTo(node.ledger.load(worker));
            }
        }
    }

    @Test
    void aLostWholeSliceNeverHidesLoadThatIsStillThere() {
        var node = new Node(3);
        node.book(1);
        LoadSlice seen = LoadSlice.EMPTY.merge(node.writer.changes(1));
        node.writer.whole(2); // lost
        node.book(2);

        seen = seen.merge(node.writer.changes(3));

        assertThat(seen.loadOf(1).requests()).isEqualTo(1);
    }

    @Test
    void aWriterThatStartsAnewInTheSameProcessIsNewerThanAllBefore() {
        var before = new Node(1);
        before.book(1);
        LoadSlice old = before.writer.changes(50);

        LoadSlice fresh = new SliceWriter(new ReservationLedger()).whole(60);

        assertThat(old.merge(fresh).size()).isZero();
    }

    private static LoadSlice mergeInGroups(List<LoadSlice> updates, Random random) {
        if (updates.size() == 1) {
            return updates.getFirst();
        }
        int cut = 1 + random.nextInt(updates.size() - 1);
        return mergeInGroups(updates.subList(0, cut), random)
                .merge(mergeInGroups(updates.subList(cut, updates.size()), random));
    }

    private static LoadSlice slice(long version, long floor, long... rows) {
        return LoadSlice.of(new LoadSlice.Head(version, floor, 0, 0), rows);
    }

    /** A node whose requests come and go at random. */
    private static final class Node {
        private final ReservationLedger ledger = new ReservationLedger();
        private final SliceWriter writer = new SliceWriter(ledger);
        private final Random random;
        private long lastId;

        Node(long seed) {
            random = new Random(seed);
        }

        void book(int worker) {
            var place = new Place(new WorkerId("w" + worker), 0, worker, worker, 16, 0);
            long[] blocks = {worker, random.nextInt(3), lastId};
            ledger.book(
                    new ReservationId(++lastId),
                    place,
                    Booking.known(random.nextInt(50), 0, Chain.of(BlockHashes.chain(blocks))),
                    0);
        }

        List<LoadSlice> run(int updates) {
            List<LoadSlice> made = new ArrayList<>();
            for (long now = 1; now <= updates; now++) {
                for (int i = random.nextInt(5); i > 0; i--) {
                    book(random.nextInt(WORKERS));
                    ledger.end(new ReservationId(1 + random.nextLong(lastId)), 0);
                    ledger.prefillComplete(new ReservationId(1 + random.nextLong(lastId)), 0);
                }
                made.add(random.nextInt(8) == 0 ? writer.whole(now) : writer.changes(now));
            }
            return made;
        }
    }
}
