package io.kvrouter.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.Chain;
import io.kvrouter.load.ReservationLedger.Standing;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReservationLedgerTest {
    private static final long HOUR = 3_600_000;
    private static final Place A = place(1);
    private static final Place B = place(2);
    private static final ReservationId ID = new ReservationId(1);
    private static final Booking BOOKING = Booking.known(40, 24, Chain.of(new long[] {1, 2, 3, 4}));
    private static final Booking ESTIMATE = Booking.estimated(10, 50, 3);

    private final ReservationLedger ledger = new ReservationLedger();

    @Test
    void aBookingCountsUntilItsEnd() {
        ledger.book(ID, A, BOOKING, 0);
        assertThat(ledger.load(1)).isEqualTo(new WorkerLoad(1, 40, 4));

        ledger.prefillComplete(ID, 1);
        assertThat(ledger.load(1)).isEqualTo(new WorkerLoad(1, 0, 4));

        ledger.end(ID, 2);
        assertThat(ledger.load(1)).isEqualTo(WorkerLoad.NONE);
    }

    @Test
    void blocksThatRequestsShareCountOnce() {
        ledger.book(ID, A, BOOKING, 0);
        ledger.book(new ReservationId(2), A, Booking.known(0, 64, Chain.of(new long[] {1, 2, 9})), 0);
        assertThat(ledger.load(1).decodeBlocks()).isEqualTo(5);

        ledger.end(ID, 1);

        assertThat(ledger.load(1)).isEqualTo(new WorkerLoad(1, 0, 3));
    }

    @Test
    void aCorrectionReplacesTheEstimate() {
        ledger.book(ID, A, ESTIMATE, 0);
        assertThat(ledger.load(1)).isEqualTo(new WorkerLoad(1, 10, 3));

        ledger.correct(ID, BOOKING, 1);

        assertThat(ledger.load(1)).isEqualTo(new WorkerLoad(1, 40, 4));
    }

    @Test
    void outputGrowsTheBlocksOfItsOwnRequestAndNeverShrinksThem() {
        ledger.book(ID, A, BOOKING, 0);
        ledger.output(ID, 15, 1);
        assertThat(ledger.load(1).decodeBlocks()).isEqualTo(4);

        ledger.output(ID, 40, 2);
        ledger.output(ID, 33, 3); // an older figure, late

        assertThat(ledger.load(1).decodeBlocks()).isEqualTo(6);
        ledger.end(ID, 4);
        assertThat(ledger.load(1)).isEqualTo(WorkerLoad.NONE);
    }

    @Test
    void reservationsThatCallersNameStandApartAndAreRememberedLonger() {
        var named = ReservationId.ofCaller("7-my request");
        assertThat(ledger.standing(named)).isEqualTo(Standing.UNKNOWN);
        ledger.end(named, 0);

        for (long id = 1; id <= 250_001; id++) {
            ledger.end(new ReservationId(id), 1);
        }

        assertThat(ledger.standing(named)).isEqualTo(Standing.ENDED);
        assertThat(ledger.book(named, A, BOOKING, 2)).isEqualTo(Standing.ENDED);
        assertThat(ledger.standing(new ReservationId(1))).isEqualTo(Standing.UNKNOWN);
        assertThat(ledger.book(new ReservationId(9_000_000), A, BOOKING, 2)).isEqualTo(Standing.UNKNOWN);
        assertThat(ledger.book(new ReservationId(9_000_000), A, BOOKING, 2)).isEqualTo(Standing.BOOKED);
    }

    @Test
    void aBookingLivesLongerThanAnyMemory() {
        ledger.book(ID, A, BOOKING, 0);

        ledger.sweep(100 * HOUR);

        assertThat(ledger.load(1).requests()).isEqualTo(1);
    }

    @Test
    void anEndThatOvertakesItsBookingFreesItForAnHour() {
        ledger.end(ID, 0);
        ledger.sweep(HOUR);
        assertThat(ledger.book(ID, A, BOOKING, HOUR)).isEqualTo(Standing.ENDED);

        ledger.sweep(HOUR + 1);

        assertThat(ledger.remembered()).isZero();
    }

    @Test
    void aBookingOutlivesItsWorkerUnderTheSameKey() {
        ledger.places().resize(1);
        ledger.seat(1, 0);
        ledger.book(ID, A, BOOKING, 0);

        ledger.unseat(1);
        ledger.seat(1, 0);

        assertThat(ledger.load(1)).isEqualTo(new WorkerLoad(1, 40, 4));
    }

    @Test
    void anEndOfAnOldLifeDoesNotTouchTheNewOne() {
        ledger.places().resize(2);
        ledger.seat(A.key(), 0);
        ledger.book(ID, A, BOOKING, 0);
        ledger.unseat(A.key());
        ledger.seat(B.key(), 1);
        ledger.book(new ReservationId(2), B, BOOKING, 1);

        ledger.end(ID, 2);

        assertThat(ledger.load(1)).isEqualTo(WorkerLoad.NONE);
        assertThat(ledger.load(2)).isEqualTo(new WorkerLoad(1, 40, 4));
    }

    @Test
    void everyOrderAndRepetitionOfTheMessagesOfARequestComesToTheSame() {
        for (boolean ends : new boolean[] {true, false}) {
            List<Consumer<ReservationLedger>> messages = messages(ends);
            for (List<Integer> order : orders(messages.size(), 7)) {
                var fresh = new ReservationLedger();
                order.forEach(i -> messages.get(i).accept(fresh));
                assertThat(fresh.load(1))
                        .as("ends %s, order %s", ends, order)
                        .isEqualTo(ends ? WorkerLoad.NONE : new WorkerLoad(1, 0, 5));
                assertThat(fresh.size()).isEqualTo(ends ? 0 : 1);
            }
        }
    }

    @Test
    void whicheverMessagesAreLostTheEndLeavesNothing() {
        List<Consumer<ReservationLedger>> messages = messages(true);
        var random = new Random(2);
        for (int run = 0; run < 5_000; run++) {
            var fresh = new ReservationLedger();
            for (int sent = random.nextInt(8); sent > 0; sent--) {
                messages.get(random.nextInt(messages.size())).accept(fresh);
            }
            fresh.end(ID, 0);
            for (int late = random.nextInt(4); late > 0; late--) {
                messages.get(random.nextInt(messages.size())).accept(fresh);
            }

            assertThat(fresh.load(1)).isEqualTo(WorkerLoad.NONE);
            assertThat(fresh.size()).isZero();
        }
    }

    @Test
    void manyRequestsInAnyOrderAddUpToWhatTheyAre() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            var fresh = new ReservationLedger();
            var naive = new NaiveLedger();
            for (int step = 0; step < 2_000; step++) {
                naive.randomMessage(random, fresh);
                long worker = 1L + random.nextInt(4);
                assertThat(fresh.load(worker)).isEqualTo(naive.load(worker));
            }
            naive.endAll(fresh);
            LongStream.rangeClosed(1, 4)
                    .forEach(worker -> assertThat(fresh.load(worker)).isEqualTo(WorkerLoad.NONE));
        }
    }

    private static List<Consumer<ReservationLedger>> messages(boolean ends) {
        List<Consumer<ReservationLedger>> messages = new ArrayList<>(List.of(
                l -> l.book(ID, A, ESTIMATE, 0),
                l -> l.prefillComplete(ID, 0),
                l -> l.correct(ID, BOOKING, 0),
                l -> l.output(ID, 20, 0)));
        if (ends) {
            messages.add(l -> l.end(ID, 0));
        }
        return messages;
    }

    /** Every sequence of up to so many messages that has each message at least once. */
    private static List<List<Integer>> orders(int messages, int length) {
        List<List<Integer>> all = new ArrayList<>();
        List<List<Integer>> longer = List.of(List.of());
        for (int i = 0; i < length; i++) {
            List<List<Integer>> next = new ArrayList<>();
            for (List<Integer> order : longer) {
                for (int message = 0; message < messages; message++) {
                    List<Integer> one = new ArrayList<>(order);
                    one.add(message);
                    next.add(one);
                }
            }
            longer = next;
            longer.stream()
                    .filter(order -> new HashSet<>(order).size() == messages)
                    .forEach(all::add);
        }
        return all;
    }

    private static Place place(long key) {
        return new Place(new WorkerId("w" + key), 0, key, key, 16, 0);
    }

    /** Remembers every message for ever, and adds up on request. */
    private static final class NaiveLedger {
        private final Map<Long, Booking> bookings = new HashMap<>();
        private final Map<Long, Booking> corrections = new HashMap<>();
        private final Map<Long, Long> outputs = new HashMap<>();
        private final Set<Long> prefilled = new HashSet<>();
        private final Set<Long> ended = new HashSet<>();

        void randomMessage(Random random, ReservationLedger ledger) {
            long id = random.nextInt(300);
            var reservation = new ReservationId(id);
            Place place = place(1 + id % 4);
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    ledger.book(reservation, place, Booking.estimated(id, 0, 3), 0);
                    bookings.put(id, Booking.estimated(id, 0, 3));
                }
                case 2 -> {
                    ledger.prefillComplete(reservation, 0);
                    prefilled.add(id);
                }
                case 3 -> {
                    Booking known = Booking.known(2 * id, 0, Chain.of(new long[] {1, 2 + id % 5, 10 + id}));
                    ledger.correct(reservation, known, 0);
                    corrections.put(id, known);
                }
                case 4 -> output(reservation, random.nextInt(100), ledger);
                default -> {
                    if (random.nextInt(4) == 0) {
                        ledger.end(reservation, 0);
                        ended.add(id);
                    }
                }
            }
        }

        private void output(ReservationId id, long tokens, ReservationLedger ledger) {
            ledger.output(id, tokens, 0);
            outputs.merge(id.value(), tokens, Math::max);
        }

        void endAll(ReservationLedger ledger) {
            LongStream.range(0, 300).forEach(id -> ledger.end(new ReservationId(id), 0));
        }

        WorkerLoad load(long worker) {
            long requests = 0;
            long prefill = 0;
            long estimated = 0;
            Set<Long> blocks = new HashSet<>();
            for (var entry : bookings.entrySet()) {
                long id = entry.getKey();
                if (1 + id % 4 == worker && !ended.contains(id)) {
                    Booking booking = corrections.getOrDefault(id, entry.getValue());
                    requests++;
                    prefill += prefilled.contains(id) ? 0 : booking.prefillTokens();
                    estimated += booking.estimatedBlocks() + outputs.getOrDefault(id, 0L) / 16;
                    LongStream.of(booking.chain().hashes()).forEach(blocks::add);
                }
            }
            return new WorkerLoad(requests, prefill, estimated + blocks.size());
        }
    }
}
