package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.ANY;
import static io.kvrouter.selection.TestFleets.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.TestFleets;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.Worker.Health;
import io.kvrouter.worker.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers that come back from a failure, or ask for rest, as this node's requests meet them. */
class LimitedWorkersTest {
    private static final Prompt PROMPT = Prompt.ofText("z".repeat(64 * 10));

    private final BookingDesk desk = new BookingDesk(BookingSettings.DEFAULT, () -> CacheView.EMPTY, new Random(11));
    private long lastId;

    private static Worker worker(int number, Health health, int allowance) {
        var known = TestFleets.worker(number, 1, 1);
        return new Worker(known.registration(), known.probed(), health, List.of(), allowance);
    }

    private void fleet(Worker... workers) {
        desk.fleet(new Fleet(List.of(workers)));
    }

    private SelectionAnswer reserve(SessionMode mode) {
        return desk.reserve(new Pin(ANY, id(1), 0, mode), Workload.of(PROMPT), new ReservationId(++lastId), 0);
    }

    private SelectionAnswer.Selected select() {
        return selected(SelectionRequest.of(ANY, PROMPT));
    }

    private SelectionAnswer.Selected selected(SelectionRequest request) {
        return (SelectionAnswer.Selected) desk.select(request, new ReservationId(++lastId), 0);
    }

    private List<WorkerId> select(int times) {
        return IntStream.range(0, times).mapToObj(i -> select().worker()).toList();
    }

    @Test
    void aWorkerOnTrialGetsOneRequestHoweverIdleItIs() {
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, Health.TRIAL, 1));

        assertThat(select(20)).containsOnlyOnce(id(1));
    }

    @Test
    void theNextOneMayTryWhenThatIsOver() {
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, Health.TRIAL, 1));
        SelectionAnswer.Selected trial = select();
        while (!trial.worker().equals(id(1))) {
            trial = select();
        }

        desk.end(trial.reservation(), 0);

        assertThat(select(20)).containsOnlyOnce(id(1));
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "DOWN", "BROKEN"})
    void aWorkerThatDoesNotAnswerGetsNone(Health health) {
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, health, Integer.MAX_VALUE));

        assertThat(select(20)).containsOnly(id(0));
        assertThat(reserve(SessionMode.SOFT)).isEqualTo(new SelectionAnswer.Refused(Refusal.NAMED_NOT_ELIGIBLE));
    }

    @Test
    void aWorkerThatStartsGetsWhatItMayHave() {
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, Health.UP, 4));

        assertThat(select(40)).filteredOn(id(1)::equals).hasSize(4);
    }

    @Test
    void aWorkerThatRestsGetsNoneWhileOthersAreThere() {
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, Health.UP, 0));

        assertThat(select(20)).containsOnly(id(0));
    }

    @Test
    void whereAllRestNoneDoes() {
        fleet(worker(0, Health.UP, 0), worker(1, Health.UP, 0));

        assertThat(select(20)).contains(id(0), id(1));
    }

    @Test
    void theLimitGoesWithTheNextFleet() {
        fleet(worker(0, Health.UP, 0), worker(1, Health.UP, Integer.MAX_VALUE));
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, Health.UP, Integer.MAX_VALUE));

        assertThat(select(20)).contains(id(0));
    }

    @Test
    void sessionsStayOnWorkersThatRestOrStart() {
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, Health.UP, 0));

        assertThat(reserve(SessionMode.SOFT)).isInstanceOf(SelectionAnswer.Selected.class);
        assertThat(reserve(SessionMode.HARD)).isInstanceOf(SelectionAnswer.Selected.class);
    }

    @Test
    void oneTurnFollowsItsSessionToAWorkerOnTrialAndTheOthersDoNot() {
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, Health.TRIAL, 1));

        assertThat(reserve(SessionMode.SOFT)).isInstanceOf(SelectionAnswer.Selected.class);
        assertThat(reserve(SessionMode.SOFT)).isEqualTo(new SelectionAnswer.Refused(Refusal.NAMED_NOT_ELIGIBLE));
    }

    @Test
    void whoNamesAWorkerOnTrialGetsIt() {
        fleet(worker(0, Health.UP, Integer.MAX_VALUE), worker(1, Health.TRIAL, 1));
        var named = new SelectionRequest(ANY, Set.of(), PROMPT, Optional.empty(), Optional.empty(), Optional.of(id(1)));

        assertThat(List.of(selected(named).worker(), selected(named).worker())).containsOnly(id(1));
        assertThat(reserve(SessionMode.OFF)).isInstanceOf(SelectionAnswer.Selected.class);
    }
}
