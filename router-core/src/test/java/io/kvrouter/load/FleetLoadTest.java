package io.kvrouter.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.Chain;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.selection.TestFleets;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FleetLoadTest {
    private static final int WORKERS = 12;
    private static final Booking BOOKING = Booking.known(40, 24, Chain.of(new long[] {1, 2, 3, 4}));

    private final ReservationLedger ledger = new ReservationLedger();
    private final FleetLoad fleet = new FleetLoad(ledger);

    private WorkerLoad load(int worker) {
        return fleet.load(fleet.roster().indexOf(place(worker).key()));
    }

    private static Place place(int worker) {
        return Place.of(TestFleets.worker(worker, 1, 1), 0);
    }

    private static LoadSlice slice(long version, int worker, long requests) {
        return LoadSlice.of(
                new LoadSlice.Head(version, 0, 0, 0),
                new long[] {place(worker).key(), version, requests, 10 * requests, 100 * requests, 1_000 * requests});
    }

    @Test
    void aPlaceKeepsItsIndexWhateverJoinsOrLeavesBesideIt() {
        fleet.fleet(TestFleets.of(3));
        int index = fleet.roster().indexOf(place(2).key());

        fleet.fleet(new Fleet(List.of(TestFleets.worker(2, 1, 1), TestFleets.worker(7, 1, 1))));

        assertThat(fleet.roster().indexOf(place(2).key())).isEqualTo(index);
        assertThat(fleet.roster().place(index)).isEqualTo(place(2));
        assertThat(fleet.roster().size()).isEqualTo(3);
        assertThat(fleet.roster().eligible(TestFleets.ANY)).hasSize(2);
    }

    @Test
    void aWorkerThatJoinsFindsWhatTheOthersHadBookedOnIt() {
        fleet.peer(1, slice(5, 0, 2));
        fleet.peer(2, slice(9, 0, 3));

        fleet.fleet(TestFleets.of(1));

        assertThat(load(0)).isEqualTo(new WorkerLoad(5, 50, 500, 5_000));
    }

    @Test
    void aWorkerThatTakesTheIndexOfOneThatLeftStartsWithItsOwnLoad() {
        fleet.fleet(TestFleets.of(1));
        ledger.book(new ReservationId(1), place(0), BOOKING, 0);
        fleet.peer(1, slice(5, 0, 2));

        fleet.fleet(new Fleet(List.of(TestFleets.worker(1, 1, 1))));

        assertThat(load(1)).isEqualTo(WorkerLoad.NONE);
        ledger.end(new ReservationId(1), 0);
        assertThat(load(1)).isEqualTo(WorkerLoad.NONE);
    }

    @Test
    void aMemberThatIsGoneTakesItsBookingsAlong() {
        fleet.fleet(TestFleets.of(1));
        fleet.peer(1, slice(5, 0, 2));
        fleet.peer(2, slice(9, 0, 3));

        fleet.retain(node -> node == 2);

        assertThat(load(0).requests()).isEqualTo(3);
        assertThat(fleet.peers()).isEqualTo(1);
    }

    @Test
    void whateverHappensTheSumIsWhatAllBooked() {
        for (int seed = 0; seed < 50; seed++) {
            var random = new Random(seed);
            var ledgerOf = new ReservationLedger();
            var world = new World(ledgerOf, new FleetLoad(ledgerOf), random);
            for (int step = 0; step < 400; step++) {
                world.step();
                world.check("seed " + seed + ", step " + step);
            }
            world.endAll();
            world.check("seed " + seed + ", at the end");
        }
    }

    /** Everything that changes load or membership, at random, and the sum made anew each time. */
    private static final class World {
        private final ReservationLedger ledger;
        private final FleetLoad fleet;
        private final Random random;
        private final Map<Long, LoadSlice> slices = new HashMap<>();
        private final Set<Integer> present = new HashSet<>();
        private long version;

        World(ReservationLedger ledger, FleetLoad fleet, Random random) {
            this.ledger = ledger;
            this.fleet = fleet;
            this.random = random;
        }

        void step() {
            int worker = random.nextInt(WORKERS);
            var id = new ReservationId(1 + random.nextInt(60));
            switch (random.nextInt(8)) {
                case 0 -> membership(worker);
                case 1 -> hear(1 + random.nextInt(3), worker);
                case 2 -> forget(1 + random.nextInt(3));
                case 3 -> ledger.prefillComplete(id, 0);
                case 4 -> ledger.output(id, random.nextInt(200), 0);
                case 5 -> ledger.end(id, 0);
                default -> ledger.book(id, place(worker), BOOKING, 0);
            }
        }

        private void membership(int worker) {
            if (!present.remove(worker)) {
                present.add(worker);
            }
            fleet.fleet(new Fleet(present.stream()
                    .map(number -> TestFleets.worker(number, 1, 1))
                    .toList()));
        }

        private void hear(long node, int worker) {
            LoadSlice known = slices.getOrDefault(node, LoadSlice.EMPTY);
            slices.put(node, known.merge(slice(++version, worker, random.nextInt(4))));
            fleet.peer(node, slices.get(node));
        }

        private void forget(long node) {
            slices.remove(node);
            fleet.retain(slices::containsKey);
        }

        void endAll() {
            for (int id = 1; id <= 60; id++) {
                ledger.end(new ReservationId(id), 0);
            }
            for (int worker = 0; worker < WORKERS; worker++) {
                assertThat(ledger.load(place(worker).key())).isEqualTo(WorkerLoad.NONE);
            }
        }

        void check(String when) {
            List<Integer> eligible = new ArrayList<>();
            for (int worker : present) {
                long key = place(worker).key();
                WorkerLoad all = slices.values().stream()
                        .map(slice -> slice.loadOf(key))
                        .reduce(ledger.load(key), WorkerLoad::plus);
                int index = fleet.roster().indexOf(key);
                assertThat(fleet.load(index)).as(when).isEqualTo(all);
                eligible.add(index);
            }
            assertThat(Arrays.stream(fleet.roster().eligible(TestFleets.ANY)).boxed())
                    .as(when)
                    .containsExactlyInAnyOrderElementsOf(eligible);
        }
    }

    @Test
    void aWorkerThatGoesDownIsNotEligibleAndKeepsItsPlace() {
        fleet.fleet(TestFleets.of(2));
        Worker up = TestFleets.worker(1, 1, 1);
        int index = fleet.roster().indexOf(place(1).key());
        assertThat(fleet.roster().eligible(TestFleets.ANY)).contains(index);

        var down = new Worker(up.registration(), up.probed(), Worker.Health.DOWN, List.of());
        fleet.fleet(new Fleet(List.of(TestFleets.worker(0, 1, 1), down)));

        assertThat(fleet.roster().eligible(TestFleets.ANY))
                .doesNotContain(index)
                .hasSize(1);
        assertThat(fleet.roster().indexOf(place(1).key())).isEqualTo(index);
    }
}
