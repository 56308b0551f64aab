package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.ANY;
import static io.kvrouter.selection.TestFleets.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.admission.CallerShare;
import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
import io.kvrouter.booking.AdmissionWorld.At;
import io.kvrouter.kv.Prompt;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.TestFleets;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmittedDeskTest {
    private static final int UNBOUNDED = AdmissionSettings.UNBOUNDED;

    private final AdmissionWorld single = new AdmissionWorld(new AdmissionSettings(UNBOUNDED, 1, 100, 1_000), 1);
    private final AdmissionWorld pair = new AdmissionWorld(new AdmissionSettings(UNBOUNDED, 1, 100, 1_000), 2);

    @Test
    void letsNobodyInWhileTheOnlyPlaceIsTaken() {
        single.runs(0);

        assertThat(single.comes(0).at).isEqualTo(At.DOOR);
    }

    @Test
    void letsTheNextInWhenOneIsOver() {
        var first = single.runs(0);
        var second = single.comes(0);

        first.leaves();

        assertThat(second.asks().at).isEqualTo(At.WORKER);
    }

    @Test
    void givesAPlaceBackThoughTheOneInBetweenWasAborted() {
        var first = single.runs(0);
        var aborted = single.comes(0);
        var third = single.comes(0);

        aborted.leaves();
        first.leaves();

        assertThat(third.asks().at).isEqualTo(At.WORKER);
    }

    @Test
    void sendsAwayAtOnceWhereNobodyMayWait() {
        var strict = new AdmissionWorld(new AdmissionSettings(UNBOUNDED, 1, 0, 1_000), 1);
        strict.runs(0);

        var refused = strict.comes(0);

        assertThat(refused.shed).contains(new Shed(Shed.Why.QUEUE_FULL, 1));
    }

    @Test
    void neverLetsWaitWhoIsOnlyWorthAFreePlace() {
        single.runs(0);
        var told = new ArrayList<Optional<Shed>>();

        single.desk.enter(Ticket.impatient(CallerShare.NAMELESS), told::add);

        assertThat(told).containsExactly(Optional.of(new Shed(Shed.Why.QUEUE_FULL, 1)));
        assertThat(single.desk.view().counts().queueFull()).isZero();
    }

    @Test
    void sendsAwayWhoHasWaitedItsTime() {
        single.runs(0);
        var waiting = single.comes(0);

        single.pass(1_000);

        assertThat(waiting.shed.map(Shed::why)).contains(Shed.Why.DEADLINE);
    }

    @Test
    void doesNotWaitForWorkersThatAreNotThere() {
        single.fleet(Fleet.EMPTY);

        assertThat(single.runs(0).at).isEqualTo(At.REFUSED);
    }

    @Test
    void refusesWhoWaitsForAWorkerThatGoes() {
        single.runs(0);
        var reserved = new AdmissionWorld(new AdmissionSettings(UNBOUNDED, 1, 100, 1_000), 2);
        reserved.comesFor(1).asks();
        var waiting = reserved.comesFor(1).asks();

        reserved.fleet(TestFleets.of(1));

        assertThat(waiting.at).isEqualTo(At.REFUSED);
    }

    @Test
    void thoseWhoWaitForOneFullWorkerStandInNobodysWay() {
        pair.comesFor(0).asks();
        pair.comesFor(0).asks();

        assertThat(pair.runs(0).worker).isEqualTo(id(1));
    }

    @Test
    void goesByPriorityAndThenByArrival() {
        var first = single.runs(0);
        var late = single.comes(0);
        var urgent = single.comes(-1);
        var later = single.comes(0);

        assertThat(order(first, List.of(late, urgent, later))).containsExactly(urgent, late, later);
    }

    @Test
    void everyFourthTimeTheOldestGoesWhateverItsPriority() {
        var running = single.runs(0);
        var humble = single.comes(9);
        single.pass(1);
        var urgent = IntStream.range(0, 6).mapToObj(i -> single.comes(0)).toList();
        List<AdmissionWorld.Client> all = new ArrayList<>(urgent);
        all.add(humble);

        assertThat(order(running, all).indexOf(humble)).isEqualTo(3);
    }

    private static List<AdmissionWorld.Client> order(
            AdmissionWorld.Client running, List<AdmissionWorld.Client> waiting) {
        List<AdmissionWorld.Client> order = new ArrayList<>();
        List<AdmissionWorld.Client> left = new ArrayList<>(waiting);
        AdmissionWorld.Client last = running;
        while (!left.isEmpty()) {
            last.leaves();
            last = left.stream().filter(c -> c.at == At.READING).findFirst().orElseThrow();
            last.asks();
            left.remove(last);
            order.add(last);
        }
        return order;
    }

    @Test
    void countsAllRanksOfAWorkerTogether() {
        single.fleet(new Fleet(List.of(TestFleets.worker(0, 4, 1))));
        single.runs(0);

        assertThat(single.comes(0).at).isEqualTo(At.DOOR);
    }

    @Test
    void aRequestThatGoesToAnotherWorkerNeedsThatWorkersPlace() {
        var moving = pair.comesFor(0).asks();
        var there = pair.comesFor(1).asks();

        moving.triesAnother();
        there.leaves();

        assertThat(moving.worker).isEqualTo(id(1));
        assertThat(pair.on(id(0))).isZero();
    }

    @Test
    void whatRunsAlreadyIsBookedThoughItIsTooMuchAndCounts() {
        single.runs(0);
        var told = new SelectionAnswer[1];
        single.desk.reserve(
                new Pin(ANY, id(0), 0),
                Workload.of(Prompt.ofText("x")),
                new ReservationId(99),
                new Ticket(0),
                new Asker() {
                    @Override
                    public boolean hears(SelectionAnswer answer) {
                        told[0] = answer;
                        return true;
                    }

                    @Override
                    public void fails(RuntimeException bug) {
                        throw bug;
                    }
                });

        assertThat(told[0]).isInstanceOf(SelectionAnswer.Selected.class);
        assertThat(single.comes(0).at).isEqualTo(At.DOOR);
    }

    @Test
    void theNodesOwnCapHoldsHoweverMuchRoomTheWorkersHave() {
        var world = new AdmissionWorld(new AdmissionSettings(3, UNBOUNDED, 100, 1_000), 8);
        IntStream.range(0, 20).forEach(i -> world.runs(0));

        assertThat(world.at(At.WORKER)).isEqualTo(3);
        assertThat(world.at(At.DOOR)).isEqualTo(17);
    }

    @Test
    void saysWhenToComeBackByHowLongRequestsTake() {
        for (int i = 0; i < 100; i++) {
            var served = single.runs(0);
            single.pass(500);
            served.leaves();
        }
        single.runs(0);
        IntStream.range(0, 100).forEach(i -> single.comes(0));

        assertThat(single.comes(0).shed.map(Shed::retryAfterSeconds)).contains(51);
    }

    @Test
    void neverSeesTwoWhereOneMayBe() {
        var clients = IntStream.range(0, 64).mapToObj(i -> single.comes(i % 3)).toList();
        WorkerId worker = id(0);
        for (int i = 0; i < 64; i++) {
            clients.forEach(AdmissionWorld.Client::asks);
            assertThat(single.on(worker)).isOne();
            clients.stream()
                    .filter(c -> c.at == At.WORKER)
                    .findFirst()
                    .orElseThrow()
                    .leaves();
        }
        assertThat(single.on(worker)).isZero();
    }

    @Test
    void countsNothingWhereNothingHasACap() {
        var open = new AdmissionWorld(AdmissionSettings.OFF, 1);
        IntStream.range(0, 50).forEach(i -> open.runs(0));

        assertThat(open.at(At.WORKER)).isEqualTo(50);
        assertThat(open.desk.view().inside()).isZero();
    }
}
