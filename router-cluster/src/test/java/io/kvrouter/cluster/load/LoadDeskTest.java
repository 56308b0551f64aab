package io.kvrouter.cluster.load;

import static io.kvrouter.cluster.load.TestNodes.ANY;
import static io.kvrouter.cluster.load.TestNodes.PATIENCE;
import static io.kvrouter.cluster.load.TestNodes.PROMPT;
import static io.kvrouter.cluster.load.TestNodes.REQUEST;
import static io.kvrouter.cluster.load.TestNodes.id;
import static io.kvrouter.cluster.load.TestNodes.total;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.admission.Ticket;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.Workload;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.selection.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LoadDeskTest {
    private static final ActorTestKit KIT = TestNodes.kit();
    private static final LoadDesk DESK = TestNodes.desk(KIT);

    @BeforeAll
    static void join() {
        Cluster cluster = Cluster.get(KIT.system());
        cluster.manager().tell(Join.create(cluster.selfMember().address()));
    }

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    private static SelectionAnswer.Selected selected(CompletionStage<SelectionAnswer> answer) {
        SelectionAnswer known = answer.toCompletableFuture().join();
        assertThat(known).isInstanceOf(SelectionAnswer.Selected.class);
        return (SelectionAnswer.Selected) known;
    }

    private static void eventually(Runnable claim) {
        KIT.createTestProbe().awaitAssert(PATIENCE, () -> {
            claim.run();
            return true;
        });
    }

    private static void eventuallyIdle() {
        eventually(() -> assertThat(total(DESK)).isEqualTo(WorkerLoad.NONE));
    }

    @Test
    void aRequestIsSelectedBookedAndEnded() {
        var selected = selected(DESK.select(REQUEST, new Ticket(0)));
        long prefill = selected.overlapTokens() == 0 ? 160 : 0;
        eventually(() -> assertThat(total(DESK)).isEqualTo(new WorkerLoad(1, prefill, 10)));

        DESK.prefillComplete(selected.reservation());
        eventually(() -> assertThat(total(DESK)).isEqualTo(new WorkerLoad(1, 0, 10)));

        DESK.end(selected.reservation());
        DESK.end(selected.reservation());
        eventuallyIdle();
    }

    @Test
    void thePinnedTurnIsBookedByEstimateAndCorrected() {
        var pinned = selected(DESK.reserve(new Pin(ANY, id(1), 0), new Workload.Estimated(100, 20), new Ticket(0)));
        assertThat(pinned.overlapTokens()).isEqualTo(100);
        DESK.correct(pinned.reservation(), PROMPT, 0);
        eventually(() -> assertThat(load(1).decodeBlocks()).isEqualTo(10));
        DESK.end(pinned.reservation());
        eventuallyIdle();
    }

    @Test
    void aWorkerThatIsNotThereIsRefused() {
        var answer = DESK.reserve(new Pin(ANY, id(9), 0), Workload.of(PROMPT), new Ticket(0));

        assertThat(answer.toCompletableFuture().join())
                .isEqualTo(new SelectionAnswer.Refused(Refusal.NAMED_NOT_ELIGIBLE));
    }

    @Test
    void whoNoLongerWaitsHasNothingBooked() {
        for (int i = 0; i < 100; i++) {
            CompletableFuture<SelectionAnswer> answer =
                    DESK.select(REQUEST, new Ticket(0)).toCompletableFuture();
            if (!answer.cancel(false)) {
                DESK.end(selected(answer).reservation());
            }
        }

        DESK.end(selected(DESK.select(REQUEST, new Ticket(0))).reservation()); // behind all the others
        eventuallyIdle();
    }

    @Test
    void anExplanationBooksNothing() {
        assertThat(DESK.explain(REQUEST).toCompletableFuture().join().candidates())
                .hasSize(4);
        eventuallyIdle();
    }

    @Test
    void manyAtOnceComeToZeroWhenAllHaveEnded() {
        long before = DESK.view().bookings();
        List<CompletableFuture<Void>> requests = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            requests.add(DESK.select(REQUEST, new Ticket(0))
                    .thenAccept(answer -> end((SelectionAnswer.Selected) answer))
                    .toCompletableFuture());
        }

        CompletableFuture.allOf(requests.toArray(CompletableFuture[]::new)).join();

        eventuallyIdle();
        eventually(() -> assertThat(DESK.view().bookings()).isGreaterThanOrEqualTo(before + 2_000));
    }

    @Test
    void theOwnClockCountsAmongTheMembers() {
        eventually(() -> assertThat(DESK.lowestClock()).isPresent());
    }

    @Test
    void updatesAreCounted() {
        eventually(() -> {
            assertThat(DESK.view().counters().updatesMade()).isPositive();
            assertThat(DESK.view().counters().writeTimeouts()).isZero();
        });
    }

    private static void end(SelectionAnswer.Selected selected) {
        DESK.prefillComplete(selected.reservation());
        DESK.end(selected.reservation());
    }

    private static WorkerLoad load(int worker) {
        return DESK.view().own().getOrDefault(id(worker), Map.of()).getOrDefault(0, WorkerLoad.NONE);
    }
}
