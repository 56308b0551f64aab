package io.kvrouter.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.admission.AdmissionCrowd.Request;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers that want more than there is. */
class FairSharesTest {
    private static final CallerShare GREEDY = new CallerShare("greedy", 1);
    private static final CallerShare MODEST = new CallerShare("modest", 1);
    private static final CallerShare HEAVY = new CallerShare("heavy", 3);

    private static AdmissionCrowd crowd(int requests, int queue) {
        return new AdmissionCrowd(new AdmissionSettings(requests, AdmissionSettings.UNBOUNDED, queue, 1_000_000));
    }

    private static void come(AdmissionCrowd crowd, CallerShare of, int many) {
        IntStream.range(0, many).forEach(i -> crowd.comes(of, 0));
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "8", "25"})
    void ofTwoWithEqualSharesNeitherHasMoreHoweverManyClientsItHas(int permits) {
        var crowd = crowd(permits, 1_000);
        come(crowd, GREEDY, 50 + permits);
        come(crowd, MODEST, 2 + permits);
        var random = new SplittableRandom(permits);
        int[] served = new int[2];
        for (int i = 0; i < 10_000; i++) {
            Request over = crowd.anyInside(random);
            crowd.ends(over);
            crowd.comes(over.of(), 0); // its client asks again
            if (i > 2 * permits) { // who had all before the other came has to end first
                assertThat(crowd.inside(GREEDY) - crowd.inside(MODEST)).isBetween(-1, 1);
                served[over.of().equals(GREEDY) ? 0 : 1]++;
            }
        }
        assertThat((double) served[0] / served[1]).isBetween(0.9, 1.1);
    }

    /** Where one runs at a time nobody has any inside when the next is chosen. */
    @Test
    void sharesHoldWhereOneRunsAtATime() {
        var crowd = crowd(1, 1_000);
        List.of(GREEDY, MODEST, HEAVY).forEach(of -> come(crowd, of, of.equals(GREEDY) ? 50 : 4));
        int[] served = new int[2];
        for (int i = 0; i < 5_000; i++) {
            Request over = crowd.anyInside(new SplittableRandom(i));
            crowd.ends(over);
            crowd.comes(over.of(), 0);
            served[0] += over.of().equals(HEAVY) ? 1 : 0;
            served[1] += over.of().equals(MODEST) ? 1 : 0;
        }
        assertThat(served[0]).isBetween(2_950, 3_050);
        assertThat(served[1]).isBetween(950, 1_050);
    }

    @ParameterizedTest
    @CsvSource({"2, 5", "3, 17", "6, 40"})
    void ofAnyNumberNoneGoesAPlaceBeyondAnother(int callers, int permits) {
        var crowd = crowd(permits, 100_000);
        var all = IntStream.range(0, callers)
                .mapToObj(i -> new CallerShare("c" + i, 1 + i % 4))
                .toList();
        var random = new SplittableRandom(callers);
        all.forEach(of -> come(crowd, of, 3 * permits));
        for (int i = 0; i < 20_000; i++) {
            Request over = crowd.anyInside(random);
            crowd.ends(over);
            crowd.comes(over.of(), 0);
            if (i > 20 * permits) {
                assertThat(unfair(crowd, all)).isFalse();
            }
        }
    }

    /** Whether one would not have been let in if the other, who has less, had been asked first. */
    private static boolean unfair(AdmissionCrowd crowd, List<CallerShare> all) {
        return all.stream()
                .anyMatch(one -> all.stream()
                        .anyMatch(other ->
                                (crowd.inside(one) - 1) * other.share() >= (crowd.inside(other) + 1) * one.share()));
    }

    /** Of two places one of share 3 and one of share 1 have 1.5 and 0.5, however long the requests of each of them are. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 1, 1", "3, 1, 1", "8, 1, 1", "3, 10, 1", "3, 1, 10", "2, 1, 7", "5, 100, 1"})
    void inTimeEachHasItsShareThoughPlacesAreWhole(int permits, int heavyLong, int greedyLong) {
        var crowd = crowd(permits, 1_000);
        come(crowd, GREEDY, 50);
        come(crowd, HEAVY, 50);
        var random = new SplittableRandom(permits);
        long heavy = 0;
        int steps = 100_000;
        for (int i = 0; i < steps; i++) {
            heavy += crowd.inside(HEAVY);
            crowd.passes(10);
            for (Request one : List.copyOf(crowd.inside)) {
                if (random.nextInt(20 * (one.of().equals(HEAVY) ? heavyLong : greedyLong)) == 0) {
                    crowd.ends(one);
                    crowd.comes(one.of(), 0);
                }
            }
        }
        assertThat((double) heavy / steps / permits).isBetween(0.74, 0.76);
    }

    /** Else it could keep all the others out until it had as much as they had before it came. */
    @Test
    void whoComesLateIsOwedNothing() {
        var crowd = crowd(3, 1_000);
        come(crowd, GREEDY, 50);
        come(crowd, HEAVY, 50);
        pass(crowd, 10_000);
        come(crowd, MODEST, 50);

        int modest = 0;
        int heavy = 0;
        for (int i = 0; i < 1_000; i++) {
            pass(crowd, 1);
            modest += crowd.inside(MODEST);
            heavy += crowd.inside(HEAVY);
        }
        assertThat((double) heavy / modest).as("%s to %s", heavy, modest).isBetween(2.5, 3.5);
    }

    /** Nor does its own request keep it out, which began when nobody waited. */
    @Test
    void whatRanAloneIsNotHeldAgainstWhoRanIt() {
        var crowd = crowd(1, 1_000);
        come(crowd, GREEDY, 1);
        crowd.passes(500_000);
        come(crowd, MODEST, 50);
        crowd.passes(5_000);
        come(crowd, GREEDY, 50);
        int[] had = new int[2];
        for (int i = 0; i < 40; i++) {
            crowd.ends(crowd.inside.getFirst());
            had[crowd.inside(GREEDY)]++;
            crowd.passes(1_000);
        }
        assertThat(had[1]).isBetween(15, 20);
    }

    /** Else it could keep a third one out, who wants what it wants, for an hour. */
    @Test
    void nobodyIsOwedMoreThanHalfOfWhatARequestMayWait() {
        var crowd = new AdmissionCrowd(new AdmissionSettings(1, AdmissionSettings.UNBOUNDED, 1_000, 20_000));
        come(crowd, GREEDY, 1);
        var modest = crowd.comes(MODEST, 0);
        crowd.passes(3_600_000);
        come(crowd, MODEST, 50);
        come(crowd, HEAVY, 50);

        crowd.ends(crowd.inside.getFirst());
        assertThat(crowd.inside).containsExactly(modest);
        int heavy = 0;
        for (int i = 0; i < 30; i++) {
            crowd.passes(1_000);
            crowd.ends(crowd.inside.getFirst());
            heavy += crowd.inside(HEAVY);
        }
        assertThat(heavy).isBetween(13, 20);
    }

    private static void pass(AdmissionCrowd crowd, int ends) {
        for (int i = 0; i < ends; i++) {
            crowd.passes(10);
            Request over = crowd.inside.getFirst();
            crowd.ends(over);
            crowd.comes(over.of(), 0);
        }
    }

    @Test
    void anUrgentRequestGoesFirstWhoseverItIs() {
        var crowd = crowd(4, 100);
        come(crowd, GREEDY, 10);
        come(crowd, MODEST, 10);
        var urgent = crowd.comes(GREEDY, -1);
        List.copyOf(crowd.inside).subList(0, 2).forEach(crowd::ends);

        assertThat(crowd.inside).contains(urgent);
    }

    @Test
    void noStreamOfUrgentRequestsStarvesAnotherCaller() {
        var crowd = crowd(2, 1_000);
        come(crowd, GREEDY, 50);
        var humble = crowd.comes(MODEST, 9);
        for (int i = 0; i < 8; i++) {
            crowd.comes(GREEDY, -1);
            crowd.ends(crowd.inside.getFirst());
        }

        assertThat(crowd.waiting).doesNotContain(humble);
    }

    @Test
    void aFullQueueTakesWhoHasLessInItAndSendsAwayTheNewestOfWhoHasMost() {
        var crowd = crowd(1, 4);
        come(crowd, GREEDY, 5);
        var newest = crowd.waiting.getLast();

        var coming = crowd.comes(MODEST, 0);

        assertThat(crowd.waiting).contains(coming).doesNotContain(newest).hasSize(4);
        assertThat(crowd.shed(newest)).isEqualTo(Shed.Why.QUEUE_FULL);
    }

    @Test
    void aFullQueueRefusesWhoHasNoLessInIt() {
        var crowd = crowd(1, 4);
        come(crowd, GREEDY, 3);
        come(crowd, MODEST, 2);

        assertThat(crowd.shed(crowd.comes(MODEST, 0))).isEqualTo(Shed.Why.QUEUE_FULL);
        assertThat(crowd.shed(crowd.comes(GREEDY, 0))).isEqualTo(Shed.Why.QUEUE_FULL);
    }

    @Test
    void theQueueIsSharedByWeightToo() {
        var crowd = crowd(1, 8);
        come(crowd, GREEDY, 9);
        come(crowd, HEAVY, 50);

        assertThat(crowd.waiting(HEAVY)).isEqualTo(6);
        assertThat(crowd.waiting(GREEDY)).isEqualTo(2);
    }

    @Test
    void aShareThatWasChangedCountsForTheRequestsThatFollow() {
        var crowd = crowd(12, 1_000);
        come(crowd, GREEDY, 50);
        come(crowd, new CallerShare("modest", 3), 50);
        for (int i = 0; i < 100; i++) {
            Request over = crowd.inside.getFirst();
            crowd.ends(over);
            crowd.comes(over.of(), 0);
        }
        assertThat(crowd.inside(new CallerShare("modest", 3))).isEqualTo(9);

        crowd.comes(MODEST, 0);
        for (int i = 0; i < 12; i++) {
            crowd.ends(crowd.inside.getFirst());
        }

        assertThat(crowd.insideOf("modest")).isEqualTo(6);
    }
}
