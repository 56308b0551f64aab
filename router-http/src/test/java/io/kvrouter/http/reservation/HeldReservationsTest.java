package io.kvrouter.http.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.cluster.reservation.ReservationCall;
import io.kvrouter.cluster.reservation.Standing;
import io.kvrouter.http.reservation.HeldReservations.Begun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class HeldReservationsTest {
    private static final int BLOCK = 16;
    private static final ReservationName NAME = new ReservationName(1, "a");

    private long now = 1_000_000;
    private final HeldReservations held = new HeldReservations(Duration.ofSeconds(60), () -> Instant.ofEpochMilli(now));
    private final ToldLoad load = new ToldLoad();

    @Nested
    class AReservation {
        @Test
        void goesFromBookedOverPrefilledToEnded() {
            begin();

            assertThat(look()).isEqualTo(Standing.BOOKED);
            assertThat(prefilled()).isEqualTo(Standing.PREFILL_COMPLETE);
            assertThat(end(true)).isEqualTo(Standing.ENDED);
            assertThat(load.told).containsExactly("prefill complete", "served");
            assertThat(held.size()).isZero();
        }

        @Test
        void tellsWhatItsSessionWillStartFrom() {
            begin();

            held.call(new ReservationCall.End(NAME.toString(), true, OptionalLong.of(300)));

            assertThat(load.told).containsExactly("served 300");
        }

        @Test
        void isThereOnceOnly() {
            begin();

            assertThat(held.begin(NAME, new ToldLoad(), 0)).isEqualTo(Begun.TWICE);
        }

        @Test
        void neverComesBack() {
            begin();
            end(true);

            assertThat(held.begin(NAME, new ToldLoad(), 0)).isEqualTo(Begun.ENDED);
            assertThat(end(true)).isEqualTo(Standing.ENDED);
            assertThat(prefilled()).isEqualTo(Standing.ENDED);
            assertThat(look()).isEqualTo(Standing.ENDED);
            assertThat(load.told).containsExactly("served");
        }

        @Test
        void whoseEndWasHeardFirstIsNotMade() {
            assertThat(end(true)).isEqualTo(Standing.UNKNOWN);
            assertThat(end(true)).isEqualTo(Standing.UNKNOWN);

            assertThat(held.begin(NAME, load, 0)).isEqualTo(Begun.ENDED);
            assertThat(held.size()).isZero();
        }

        @Test
        void whosePrefillWasHeardFirstIsPrefilled() {
            assertThat(prefilled()).isEqualTo(Standing.UNKNOWN);

            begin();

            assertThat(look()).isEqualTo(Standing.PREFILL_COMPLETE);
            assertThat(load.told).contains("prefill complete");
        }

        @Test
        void isForgottenAnHourAfterItsEnd() {
            end(true);

            now += Duration.ofHours(1).toMillis();

            assertThat(held.begin(NAME, load, 0)).isEqualTo(Begun.NEW);
        }

        @Test
        void thatFoundNoPlaceLeavesItsNameFree() {
            held.begin(NAME, load, 0);
            held.forget(NAME, load);

            assertThat(held.begin(NAME, new ToldLoad(), 0)).isEqualTo(Begun.NEW);
            assertThat(load.told).containsExactly("not served");
        }

        @Test
        void isNotForgottenForAnotherOfItsName() {
            held.begin(NAME, load, 0);
            held.forget(NAME, load);
            var next = new ToldLoad();
            held.begin(NAME, next, 0);

            held.forget(NAME, load);

            assertThat(held.size()).isEqualTo(1);
            assertThat(next.told).isEmpty();
        }

        @Test
        void thatEndsBeforeItHasItsPlaceIsOver() {
            held.begin(NAME, load, 0);

            end(false);
            held.placed(NAME, load, BLOCK);

            assertThat(load.told).containsExactly("not served");
        }
    }

    @Nested
    class Output {
        @Test
        void growsBlockByBlock() {
            begin();

            output(OptionalLong.empty());
            output(OptionalLong.empty());

            assertThat(load.told).containsExactly("output 16", "output 32");
        }

        @Test
        void isWhatTheCallerSaysInAll() {
            begin();

            output(OptionalLong.of(5));
            output(OptionalLong.of(3));
            output(OptionalLong.of(5));

            assertThat(load.told).containsOnly("output 80");
        }

        @Test
        void thatIsExpectedCountsFromTheStartUntilThereIsMore() {
            held.begin(NAME, load, 40);
            held.placed(NAME, load, BLOCK);
            output(OptionalLong.of(2));
            output(OptionalLong.of(3));

            assertThat(load.told).containsExactly("output 40", "output 40", "output 48");
        }

        @Test
        void thatIsToldBeforeThePlaceIsKnownCountsThere() {
            held.begin(NAME, load, 0);
            output(OptionalLong.of(2));
            held.placed(NAME, load, BLOCK);

            assertThat(load.told).containsExactly("output 32");
        }
    }

    @Nested
    class ALease {
        @Test
        void endsAReservationThatNobodyHasMentioned() {
            begin();

            after(59);
            assertThat(load.told).isEmpty();
            after(1);

            assertThat(load.told).containsExactly("not served");
            assertThat(held.expired()).isEqualTo(1);
            assertThat(look()).isEqualTo(Standing.ENDED);
        }

        @Test
        void isRenewedByEachCall() {
            begin();

            after(40);
            prefilled();
            after(40);
            output(OptionalLong.empty());
            after(40);

            assertThat(look()).isEqualTo(Standing.PREFILL_COMPLETE);
        }

        @Test
        void isNotRenewedByALook() {
            begin();

            after(40);
            look();
            after(20);

            assertThat(look()).isEqualTo(Standing.ENDED);
        }

        @Test
        void thatEndsInTheMiddleOfAnAnswerLeavesAServedTurn() {
            begin();
            prefilled();

            after(60);

            assertThat(load.told).containsExactly("prefill complete", "served");
        }

        @Test
        void endsInTheOrderOfTheLastCalls() {
            var other = new ReservationName(1, "b");
            var otherLoad = new ToldLoad();
            begin();
            after(10);
            held.begin(other, otherLoad, 0);
            after(10);
            prefilled();

            after(50);

            assertThat(otherLoad.told).containsExactly("not served");
            assertThat(look()).isEqualTo(Standing.PREFILL_COMPLETE);
        }
    }

    /** Whatever is said, in whatever order and however often: every load that began ends once, and nothing is held. */
    @RepeatedTest(200)
    void nothingIsLeftWhenAllHaveEndedOrLeasesHave(RepetitionInfo run) {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(run.getCurrentRepetition());
        Map<ReservationName, ToldLoad> begun = new HashMap<>();
        List<ToldLoad> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            now += random.nextInt(5_000);
            held.expire();
            var name = new ReservationName(1, "n" + random.nextInt(10));
            switch (random.nextInt(7)) {
                case 0, 1 -> {
                    var made = new ToldLoad();
                    if (held.begin(name, made, random.nextInt(100)) == Begun.NEW) {
                        all.add(made);
                        begun.put(name, made);
                    }
                }
                case 2 -> Optional.ofNullable(begun.get(name)).ifPresent(of -> held.placed(name, of, BLOCK));
                case 3 -> Optional.ofNullable(begun.get(name)).ifPresent(of -> held.forget(name, of));
                case 4 -> held.call(new ReservationCall.PrefillComplete(name.toString()));
                case 5 -> held.call(new ReservationCall.OutputBlock(name.toString(), OptionalLong.empty()));
                default -> held.call(new ReservationCall.End(name.toString(), true, OptionalLong.empty()));
            }
        }
        after(60);

        assertThat(held.size()).isZero();
        assertThat(all).allMatch(made -> made.over);
    }

    private void begin() {
        assertThat(held.begin(NAME, load, 0)).isEqualTo(Begun.NEW);
        held.placed(NAME, load, BLOCK);
    }

    private void after(int seconds) {
        now += seconds * 1_000L;
        held.expire();
    }

    private Standing look() {
        return held.call(new ReservationCall.Look(NAME.toString()));
    }

    private Standing prefilled() {
        return held.call(new ReservationCall.PrefillComplete(NAME.toString()));
    }

    private Standing output(OptionalLong total) {
        return held.call(new ReservationCall.OutputBlock(NAME.toString(), total));
    }

    private Standing end(boolean served) {
        return held.call(new ReservationCall.End(NAME.toString(), served, OptionalLong.empty()));
    }
}
