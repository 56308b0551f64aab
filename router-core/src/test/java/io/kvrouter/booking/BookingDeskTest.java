package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.ANY;
import static io.kvrouter.selection.TestFleets.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.load.ResidentTokens;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.selection.BusyThresholds;
import io.kvrouter.selection.Candidate;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.selection.Policy;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.SelectionSettings;
import io.kvrouter.selection.TestFleets;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.kvrouter.worker.WorkerKey;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BookingDeskTest {
    private static final Prompt PROMPT = Prompt.ofText("z".repeat(64 * 10));
    private static final Pin PIN = new Pin(ANY, id(1), 0);

    private final BookingDesk desk = new BookingDesk(BookingSettings.DEFAULT, () -> CacheView.EMPTY, new Random(11));
    private long lastId;
    private long now;

    @BeforeEach
    void fourWorkers() {
        desk.fleet(TestFleets.of(4));
    }

    private SelectionAnswer.Selected select(Prompt prompt) {
        return selected(desk.select(SelectionRequest.of(ANY, prompt), nextId(), now));
    }

    private static SelectionAnswer.Selected selected(SelectionAnswer answer) {
        assertThat(answer).isInstanceOf(SelectionAnswer.Selected.class);
        return (SelectionAnswer.Selected) answer;
    }

    private ReservationId nextId() {
        return new ReservationId(++lastId);
    }

    private WorkerLoad load(int worker) {
        return candidates(SelectionRequest.of(ANY, PROMPT)).stream()
                .filter(candidate -> candidate.place().worker().equals(id(worker)))
                .map(Candidate::load)
                .reduce(WorkerLoad.NONE, WorkerLoad::plus);
    }

    private List<Candidate> candidates(SelectionRequest request) {
        return desk.explain(request, now).candidates();
    }

    private Map<WorkerId, Integer> spread(int requests, boolean inFlight) {
        Map<WorkerId, Integer> counts = new HashMap<>();
        for (int i = 0; i < requests; i++) {
            var selected = select(Prompt.ofText("prompt " + i + " ".repeat(200)));
            counts.merge(selected.worker(), 1, Integer::sum);
            if (!inFlight) {
                desk.end(selected.reservation(), now);
            }
        }
        return counts;
    }

    @Test
    void myOwnBookingsCountAtOnce() {
        desk.fleet(TestFleets.of(2));

        assertThat(spread(8, true).values())
                .allSatisfy(share -> assertThat(share).isBetween(3, 5));
    }

    @Test
    void differentPromptsInSequenceSpreadOverIdleWorkers() {
        assertThat(spread(40, false).values())
                .hasSize(4)
                .allSatisfy(share -> assertThat(share).isBetween(4, 18));
    }

    @Test
    void inTheLongRunIdenticalWorkersGetEqualShares() {
        desk.fleet(TestFleets.of(5));
        Map<WorkerId, Integer> counts = new HashMap<>();
        var running = new ArrayDeque<ReservationId>();
        for (int i = 0; i < 5_000; i++) {
            var selected = select(Prompt.ofText("prompt " + i + " ".repeat(200)));
            counts.merge(selected.worker(), 1, Integer::sum);
            running.add(selected.reservation());
            if (running.size() > 16) {
                desk.end(running.remove(), now);
            }
        }

        assertThat(counts.values())
                .hasSize(5)
                .allSatisfy(share -> assertThat(share).isBetween(900, 1_100));
    }

    @Test
    void myOwnRecentChoicesCountAsOverlapBeforeAnyCacheEvent() {
        Map<WorkerId, Integer> counts = new HashMap<>();
        long cached = 0;
        for (int i = 0; i < 16; i++) {
            var selected = select(PROMPT);
            counts.merge(selected.worker(), 1, Integer::sum);
            cached += selected.overlapTokens();
            desk.prefillComplete(selected.reservation(), now);
        }

        assertThat(counts).hasSizeBetween(1, 4);
        assertThat(cached).isEqualTo((16L - counts.size()) * 144); // an engine computes the last token of 160
    }

    @Test
    void recentChoicesAreForgottenAfterDisuse() {
        var selected = select(PROMPT);
        WorkerId worker = selected.worker();
        desk.end(selected.reservation(), now);
        now += 120_001;

        assertThat(candidates(SelectionRequest.of(ANY, PROMPT)))
                .filteredOn(candidate -> candidate.place().worker().equals(worker))
                .allSatisfy(
                        candidate -> assertThat(candidate.overlap().device()).isZero());
    }

    @Test
    void aWorkerThatJustRegisteredGetsTrafficAtOnce() {
        spread(20, true);

        desk.fleet(TestFleets.of(5));

        assertThat(select(Prompt.ofText("new ".repeat(100))).worker()).isEqualTo(id(4));
    }

    @Test
    void aWorkerRegisteredAgainInANewLifeStartsAtZero() {
        var old = selected(desk.reserve(PIN, Workload.of(PROMPT), nextId(), now));

        desk.fleet(new Fleet(List.of(TestFleets.worker(1, 1, 2))));
        assertThat(load(1)).isEqualTo(WorkerLoad.NONE);
        desk.end(old.reservation(), now);

        assertThat(load(1)).isEqualTo(WorkerLoad.NONE);
    }

    @Test
    void aWorkerRegisteredAgainInTheSameLifeKeepsItsBookings() {
        var old = selected(desk.reserve(PIN, Workload.of(PROMPT), nextId(), now));

        desk.fleet(Fleet.EMPTY);
        desk.fleet(TestFleets.of(4));
        assertThat(load(1).requests()).isEqualTo(1);
        desk.end(old.reservation(), now);

        assertThat(load(1)).isEqualTo(WorkerLoad.NONE);
    }

    @Test
    void healthChecksNeverTouchTheLoadOfOpenStreams() {
        for (int i = 0; i < 3; i++) {
            desk.reserve(PIN, Workload.of(PROMPT), nextId(), now);
        }
        WorkerLoad open = load(1);

        for (int check = 0; check < 50; check++) {
            var worker = TestFleets.worker(1, 1, 1);
            var health = check % 2 == 0 ? Worker.Health.DOWN : Worker.Health.UP;
            desk.fleet(new Fleet(List.of(new Worker(worker.registration(), worker.probed(), health, List.of()))));
        }

        assertThat(open.requests()).isEqualTo(3);
        assertThat(load(1)).isEqualTo(open);
    }

    @Test
    void theFootprintOfSessionsIsToldAndTakenBack() {
        desk.footprint(List.of(new ResidentTokens(id(1), 0, 700), new ResidentTokens(id(1), 0, 300)));
        assertThat(load(1)).isEqualTo(new WorkerLoad(0, 0, 0, 1_000));
        assertThat(desk.writer().whole(1).size()).isEqualTo(1);

        desk.footprint(List.of());

        assertThat(load(1)).isEqualTo(WorkerLoad.NONE);
        assertThat(desk.writer().changes(2).size()).isEqualTo(1); // a row of zeros
        assertThat(desk.writer().whole(3).size()).isZero();
    }

    @Test
    void whatTheOtherNodesBookedCounts() {
        var other = new BookingDesk(BookingSettings.DEFAULT, () -> CacheView.EMPTY, new Random(1));
        other.fleet(TestFleets.of(4));
        for (int worker = 0; worker < 3; worker++) {
            other.reserve(new Pin(ANY, id(worker), 0), Workload.of(PROMPT), nextId(), now);
        }

        desk.peer(1, other.writer().changes(1));

        assertThat(load(0)).isEqualTo(new WorkerLoad(1, 160, 10));
        assertThat(select(PROMPT).worker()).isEqualTo(id(3));
    }

    @Test
    void rowsOfWorkersThatAreNotKnownHereDoNoHarm() {
        long stranger = WorkerKey.of(id(77), 1, 0);
        desk.peer(1, LoadSlice.of(new LoadSlice.Head(1, 0, 0, 0), new long[] {stranger, 1, 5, 5, 5, 5}));

        assertThat(load(1)).isEqualTo(WorkerLoad.NONE);
    }

    @Test
    void anEstimateIsBookedAndThenCorrected() {
        var selected = selected(desk.reserve(PIN, new Workload.Estimated(100, 10), nextId(), now));
        assertThat(selected.overlapTokens()).isEqualTo(100);
        assertThat(load(1)).isEqualTo(new WorkerLoad(1, 10, 110 / 16));

        desk.correct(selected.reservation(), PROMPT, 0, now);

        assertThat(load(1)).isEqualTo(new WorkerLoad(1, 60, 10));
    }

    @Test
    void whatTheSessionHadIsTakenAsCachedThoughItWentByWayOfAnotherNode() {
        var selected = selected(desk.reserve(PIN, Workload.of(PROMPT), nextId(), now));
        assertThat(load(1)).isEqualTo(new WorkerLoad(1, 160, 10));

        desk.correct(selected.reservation(), PROMPT, 150, now);

        assertThat(load(1)).isEqualTo(new WorkerLoad(1, 10, 10));
    }

    @Test
    void ranksOfAWorkerAreBookedApart() {
        desk.fleet(new Fleet(List.of(TestFleets.worker(1, 2, 1))));

        desk.reserve(new Pin(ANY, id(1), 1), Workload.of(PROMPT), nextId(), now);

        assertThat(candidates(SelectionRequest.of(ANY, PROMPT)))
                .extracting(Candidate::load)
                .containsExactly(WorkerLoad.NONE, new WorkerLoad(1, 160, 10));
        assertThat(select(Prompt.ofText("other ".repeat(50))).rank()).isZero();
    }

    @Test
    void aRankThatTheWorkerDoesNotHaveIsRefused() {
        var answer = desk.reserve(new Pin(ANY, id(1), 1), Workload.of(PROMPT), nextId(), now);

        assertThat(answer).isEqualTo(new SelectionAnswer.Refused(Refusal.NAMED_NOT_ELIGIBLE));
    }

    @Test
    void aBusyWorkerRefusesOnlyATurnThatWaitsForIt() {
        var thresholds = new BusyThresholds(OptionalLong.empty(), OptionalDouble.empty(), OptionalLong.of(1));
        var selection = new SelectionSettings(Policy.KV, CostFactors.DEFAULT, thresholds);
        var strict =
                new BookingDesk(new BookingSettings(selection, 120_000, 65_536), () -> CacheView.EMPTY, new Random(11));
        strict.fleet(TestFleets.of(4));
        var waiting = new Pin(ANY, id(1), 0, SessionMode.HARD);

        selected(strict.reserve(waiting, Workload.of(PROMPT), nextId(), now));
        selected(strict.reserve(waiting, Workload.of(PROMPT), nextId(), now)); // one is not over its threshold yet

        assertThat(strict.reserve(waiting, Workload.of(PROMPT), nextId(), now))
                .isEqualTo(new SelectionAnswer.Refused(Refusal.BOUND_BUSY));
        selected(strict.reserve(PIN, Workload.of(PROMPT), nextId(), now));
    }

    @Test
    void anEndThatCameBeforeTheBookingLeavesNothing() {
        var id = nextId();
        desk.end(id, now);

        desk.select(SelectionRequest.of(ANY, PROMPT), id, now);

        assertThat(desk.reservation(id)).isEmpty();
        assertThat(desk.writer().whole(1).size()).isZero();
    }
}
