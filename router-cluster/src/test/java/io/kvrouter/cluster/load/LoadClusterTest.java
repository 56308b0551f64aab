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
import io.kvrouter.load.ResidentTokens;
import io.kvrouter.load.slice.WorkerLoad;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ddata.typed.javadsl.DistributedData;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Load between nodes: three actor systems in one JVM that form a cluster. */
class LoadClusterTest {
    private final ActorTestKit a = TestNodes.kit();
    private final ActorTestKit b = TestNodes.kit();
    private final ActorTestKit c = TestNodes.kit();
    private final AtomicBoolean losing = new AtomicBoolean();
    private final AtomicReference<List<ResidentTokens>> footprint = new AtomicReference<>(List.of());
    private final LoadDesk deskA = lossyDesk(a);
    private final LoadDesk deskB = TestNodes.desk(b);
    private final LoadDesk deskC = TestNodes.desk(c);

    @BeforeEach
    void form() {
        for (ActorTestKit kit : List.of(a, b, c)) {
            Cluster.get(kit.system()).manager().tell(Join.create(address(a)));
        }
        for (LoadDesk desk : List.of(deskA, deskB, deskC)) {
            eventually(() -> {
                assertThat(desk.view().nodes()).hasSize(2);
                assertThat(desk.lowestClock()).isPresent();
            });
        }
    }

    @AfterEach
    void stop() {
        List.of(a, b, c).forEach(ActorTestKit::shutdownTestKit);
    }

    @Test
    void bookingsMadeOnOneNodeAreSeenByAllAndGoWithTheirEnds() {
        var onA = selected(deskA, 0);
        var onB = selected(deskB, 1);

        for (LoadDesk desk : List.of(deskA, deskB, deskC)) {
            eventually(() -> assertThat(total(desk)).isEqualTo(new WorkerLoad(2, 320, 20)));
        }
        assertThat(deskC.view().own().get(id(0))).containsEntry(0, WorkerLoad.NONE);
        assertThat(deskC.view().nodes()).extracting(NodeLoad::bookings).containsExactlyInAnyOrder(1L, 1L);

        deskA.end(onA.reservation());
        deskB.end(onB.reservation());

        for (LoadDesk desk : List.of(deskA, deskB, deskC)) {
            eventually(() -> assertThat(total(desk)).isEqualTo(WorkerLoad.NONE));
        }
    }

    @Test
    void whatOtherNodesBookedKeepsSelectionAway() {
        selected(deskA, 0);
        selected(deskA, 1);
        selected(deskB, 2);
        eventually(() -> assertThat(total(deskC).requests()).isEqualTo(3));

        assertThat(deskC.select(REQUEST, new Ticket(0)).toCompletableFuture().join())
                .extracting(answer -> ((SelectionAnswer.Selected) answer).worker())
                .isEqualTo(id(3));
    }

    @Test
    void theLoadOfANodeThatDiedCountsUntilItIsDownedAndIsThenGone() {
        selected(deskA, 0);
        selected(deskB, 1);
        eventually(() -> assertThat(total(deskB).requests()).isEqualTo(2));
        eventually(() -> assertThat(total(deskC).requests()).isEqualTo(2));
        Address dead = address(a);

        a.shutdownTestKit(); // without leaving: coordinated shutdown is off
        assertThat(total(deskB).requests()).isEqualTo(2);
        Cluster.get(b.system()).manager().tell(new Down(dead));

        for (LoadDesk desk : List.of(deskB, deskC)) {
            eventually(() -> {
                assertThat(total(desk)).isEqualTo(new WorkerLoad(1, 160, 10));
                assertThat(desk.view().nodes()).hasSize(1);
            });
        }
    }

    @Test
    void aLostUpdateHealsWithTheNextWholeSliceThoughNothingElseIsBooked() {
        var kept = selected(deskA, 0);
        eventually(() -> assertThat(total(deskB).requests()).isEqualTo(1));

        losing.set(true);
        selected(deskA, 1);
        deskA.end(kept.reservation());
        eventually(() -> assertThat(total(deskA)).isEqualTo(new WorkerLoad(1, 160, 10)));
        losing.set(false);

        eventually(() -> {
            assertThat(deskB.view().total().get(id(0))).containsEntry(0, WorkerLoad.NONE);
            assertThat(deskB.view().total().get(id(1))).containsEntry(0, new WorkerLoad(1, 160, 10));
        });
    }

    @Test
    void theLagToEachNodeIsMeasuredAndItsBookingsAreVisibleThere() {
        selected(deskB, 0);
        selected(deskB, 1);

        eventually(() -> assertThat(deskB.view().nodes()).hasSize(2).allSatisfy(node -> {
            assertThat(node.visibleBookings()).isEqualTo(2);
            assertThat(node.lag().count()).isPositive();
            assertThat(node.lag().mostMs()).isPositive();
        }));
        assertThat(deskB.view().counters().bytesSent()).isPositive();
        eventually(() -> assertThat(deskC.view().counters().updatesApplied()).isPositive());
    }

    @Test
    void aSilentNodesSliceAgesAndCountsAndIsRightAgainWhenItReturns() {
        var held = selected(deskA, 0);
        eventually(() -> assertThat(total(deskB).requests()).isEqualTo(1));

        losing.set(true);
        selected(deskA, 1);
        deskA.end(held.reservation());
        String silent = address(a).toString();
        eventually(() -> assertThat(deskB.view().nodes())
                .filteredOn(node -> node.node().equals(silent))
                .allSatisfy(node -> assertThat(node.ageMs()).isGreaterThan(2_500)));
        assertThat(deskB.view().total().get(id(0))).containsEntry(0, new WorkerLoad(1, 160, 10));
        losing.set(false);

        eventually(() -> {
            assertThat(deskB.view().total().get(id(0))).containsEntry(0, WorkerLoad.NONE);
            assertThat(deskB.view().total().get(id(1))).containsEntry(0, new WorkerLoad(1, 160, 10));
        });
    }

    @Test
    void theFootprintOfSessionsIsAddedUpOverTheNodesAndGoesWithThem() {
        footprint.set(List.of(new ResidentTokens(id(0), 0, 5_000), new ResidentTokens(id(9), 0, 1)));
        eventually(() -> {
            assertThat(deskB.view().total().get(id(0))).containsEntry(0, new WorkerLoad(0, 0, 0, 5_000));
            assertThat(deskB.view().own().get(id(0))).containsEntry(0, WorkerLoad.NONE);
        });

        footprint.set(List.of());

        eventually(() -> assertThat(deskB.view().total().get(id(0))).containsEntry(0, WorkerLoad.NONE));
    }

    private static SelectionAnswer.Selected selected(LoadDesk desk, int worker) {
        return (SelectionAnswer.Selected) desk.reserve(new Pin(ANY, id(worker), 0), Workload.of(PROMPT), new Ticket(0))
                .toCompletableFuture()
                .join();
    }

    private static Address address(ActorTestKit kit) {
        return Cluster.get(kit.system()).selfMember().address();
    }

    private void eventually(Runnable claim) {
        b.createTestProbe().awaitAssert(PATIENCE, () -> {
            claim.run();
            return true;
        });
    }

    /** A desk whose updates are lost, on either way, though acknowledged, while {@code losing}. */
    private LoadDesk lossyDesk(ActorTestKit kit) {
        var replicator = DistributedData.get(kit.system()).replicator();
        var shown = new ActorLoadDesk.Shown();
        var sources = TestNodes.sources(footprint::get);
        var world = new LoadActor.World(sources.caches(), sources.footprint(), shown, sources.time(), sources.random());
        var lossy = kit.spawn(losing(replicator));
        var behavior = LoadActor.create(LoadSettings.DEFAULT, world, (context, door) -> {
            PeerLink link = PeerLink.toSamePath(context.getSystem(), door.path());
            return new PeerLink.Ways(lossy, (node, message) -> {
                if (!losing.get()) {
                    link.tell(node, message);
                }
            });
        });
        var actor = kit.system().systemActorOf(behavior, "kvrouter-load", Props.empty());
        var desk = new ActorLoadDesk(actor, shown, InstantSource.system(), false);
        desk.fleet(TestNodes.fleet(4));
        return desk;
    }

    private Behavior<Replicator.Command> losing(ActorRef<Replicator.Command> replicator) {
        return Behaviors.receiveMessage(message -> {
            if (losing.get() && message instanceof Replicator.Update<?> update) {
                acknowledge(update);
            } else {
                replicator.tell(message);
            }
            return Behaviors.same();
        });
    }

    private static <D extends org.apache.pekko.cluster.ddata.ReplicatedData> void acknowledge(
            Replicator.Update<D> update) {
        update.replyTo().tell(new Replicator.UpdateSuccess<>(update.key()));
    }
}
