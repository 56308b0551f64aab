package io.kvrouter.cluster.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.ddata.LWWMap;
import org.apache.pekko.cluster.ddata.typed.javadsl.DistributedData;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The register on two nodes of a cluster, in one JVM. Each test has workers of its own. */
class WorkerRegisterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Config CONFIG = ConfigFactory.parseString("""
            pekko {
              loglevel = ERROR
              stdout-loglevel = ERROR
              actor.provider = cluster
              remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              cluster.jmx.multi-mbeans-in-same-jvm = on
              cluster.failure-detector.acceptable-heartbeat-pause = 20s
              cluster.downing-provider-class = ""
              coordinated-shutdown.run-by-actor-system-terminate = off
              coordinated-shutdown.exit-jvm = off
            }
            """).withFallback(ConfigFactory.load());

    private static final ActorTestKit KIT_A = ActorTestKit.create("kvrouter", CONFIG);
    private static final ActorTestKit KIT_B = ActorTestKit.create("kvrouter", CONFIG);
    private static final AtomicInteger TOLD = new AtomicInteger();
    private static final WorkerRegister A = ReplicatedRegister.start(KIT_A.system(), workers -> TOLD.incrementAndGet());
    private static final WorkerRegister B = ReplicatedRegister.start(KIT_B.system(), workers -> {});

    @BeforeAll
    static void form() {
        for (ActorTestKit kit : List.of(KIT_A, KIT_B)) {
            var first = Cluster.get(KIT_A.system()).selfMember().address();
            Cluster.get(kit.system()).manager().tell(Join.create(first));
        }
        for (ActorTestKit kit : List.of(KIT_A, KIT_B)) {
            eventually(() -> assertThat(Cluster.get(kit.system()).state().getMembers())
                    .extracting(Member::status)
                    .containsExactly(MemberStatus.up(), MemberStatus.up()));
        }
    }

    @AfterAll
    static void stop() {
        KIT_B.shutdownTestKit();
        KIT_A.shutdownTestKit();
    }

    @Test
    void aWorkerRegisteredOnEitherNodeIsKnownOnBoth() {
        get(A.register(worker("on-a")));
        get(B.register(worker("on-b")));

        for (WorkerRegister node : List.of(A, B)) {
            eventually(() -> assertThat(find(node, "on-a")).isPresent());
            eventually(() -> assertThat(find(node, "on-b")).isPresent());
        }
    }

    @Test
    void whoIsToldThatAChangeIsDoneFindsItDone() {
        get(A.register(worker("at-once")));
        assertThat(find(A, "at-once")).isPresent();

        get(A.change(id("at-once"), worker -> worker.withDraining(true)));
        assertThat(find(A, "at-once"))
                .hasValueSatisfying(worker -> assertThat(worker.draining()).isTrue());

        get(A.remove(id("at-once")));
        assertThat(find(A, "at-once")).isEmpty();
    }

    @Test
    void registeringAgainReplacesWhatWasRegistered() {
        get(A.register(worker("twice")));
        eventually(() -> assertThat(find(B, "twice")).isPresent());

        get(B.register(worker("twice").withGroup("other")));

        eventually(() -> assertThat(find(A, "twice")).map(Registration::group).hasValue("other"));
    }

    /** The whole list is told each time: once for each of its workers is a thousand times a thousand. */
    @Test
    void aLongStaticListIsToldAFewTimes() {
        var list = IntStream.range(10_000, 11_000)
                .mapToObj(WorkerRegisterTest::listed)
                .toList();
        int before = TOLD.get();

        A.addStatic(list);

        for (WorkerRegister node : List.of(A, B)) {
            eventually(() -> assertThat(node.registered()).containsAll(list));
        }
        assertThat(TOLD.get() - before).isLessThan(100);
    }

    @Test
    void aWorkerThatNobodyRegisteredCanNeitherBeChangedNorRemoved() {
        assertThat(get(A.change(id("nobody"), worker -> worker))).isEmpty();
        assertThat(get(A.remove(id("nobody")))).isEmpty();
    }

    @Test
    void twoChangesAtOnceBothStand() {
        get(A.register(worker("busy")));

        var drained = A.change(id("busy"), worker -> worker.withDraining(true));
        var labelled = A.change(id("busy"), worker -> worker.withLabels(Map.of("rack", "r7")));
        get(drained);
        get(labelled);

        assertThat(find(A, "busy")).hasValueSatisfying(worker -> {
            assertThat(worker.draining()).isTrue();
            assertThat(worker.labels()).containsEntry("rack", "r7");
        });
    }

    @Test
    void changesOnTwoNodesAtOnceEndEqual() {
        get(A.register(worker("torn")));
        eventually(() -> assertThat(find(B, "torn")).isPresent());

        var onA = A.change(id("torn"), worker -> worker.withGroup("a"));
        var onB = B.change(id("torn"), worker -> worker.withGroup("b"));
        get(onA);
        get(onB);

        eventually(() -> assertThat(find(A, "torn")).isEqualTo(find(B, "torn")).isPresent());
    }

    @Test
    void staticListsOfSeveralNodesAreAUnion() {
        A.addStatic(List.of(listed(1), listed(2)));
        B.addStatic(List.of(listed(2), listed(3)));

        for (WorkerRegister node : List.of(A, B)) {
            eventually(() -> assertThat(node.registered()).contains(listed(1), listed(2), listed(3)));
        }
    }

    @Test
    void aStaticListThatComesAgainChangesNothing() {
        A.addStatic(List.of(listed(10)));
        eventually(() -> assertThat(B.registered()).contains(listed(10)));
        get(B.change(listed(10).id(), worker -> worker.withDraining(true)));

        A.addStatic(List.of(listed(10)));
        A.addStatic(List.of(listed(11)));

        eventually(() -> assertThat(A.registered()).contains(listed(11)));
        assertThat(A.registered()).contains(listed(10).withDraining(true));
    }

    @Test
    void aRemovedStaticWorkerStaysOutUntilAListThatNamesItChanges() {
        A.addStatic(List.of(listed(20)));
        eventually(() -> assertThat(B.registered()).contains(listed(20)));
        B.addStatic(List.of(listed(20), listed(21)));
        eventually(() -> assertThat(A.registered()).contains(listed(20), listed(21)));
        get(A.remove(listed(20).id()));
        eventually(() -> assertThat(B.registered()).doesNotContain(listed(20)));

        // Both nodes start again with the lists that they had.
        A.addStatic(List.of(listed(20)));
        B.addStatic(List.of(listed(20), listed(21)));
        A.addStatic(List.of(listed(22)));
        B.addStatic(List.of(listed(23)));
        eventually(() -> assertThat(A.registered()).contains(listed(22), listed(23)));
        assertThat(A.registered()).doesNotContain(listed(20));

        A.addStatic(List.of(listed(20), listed(24)));

        eventually(() -> assertThat(B.registered()).contains(listed(20)));
    }

    @Test
    void differentListsThatNameAWorkerAtTheSameMomentBothCount() {
        for (int number = 30; number < 36; number++) {
            var onA = List.of(listed(number));
            var onB = List.of(listed(number), listed(number + 100));
            A.addStatic(onA);
            B.addStatic(onB);
            String id = listed(number).id().value();
            eventually(() -> assertThat(marks(id)).hasSize(2));
            get(A.remove(listed(number).id()));

            A.addStatic(onA);
            B.addStatic(onB);
            A.addStatic(List.of(listed(number + 200)));
            B.addStatic(List.of(listed(number + 300)));

            int last = number + 200;
            eventually(() -> assertThat(find(B, listed(last).id().value())).isPresent());
            eventually(() ->
                    assertThat(find(A, listed(last + 100).id().value())).isPresent());
            assertThat(find(A, id)).isEmpty();
        }
    }

    private static Set<Long> marks(String id) {
        var replicator = DistributedData.get(KIT_A.system()).replicator();
        CompletionStage<Replicator.GetResponse<LWWMap<String, RegisterEntry>>> found = AskPattern.ask(
                replicator,
                replyTo -> new Replicator.Get<>(WorkerRegisterActor.KEY, Replicator.readLocal(), replyTo),
                PATIENCE,
                KIT_A.system().scheduler());
        return get(found) instanceof Replicator.GetSuccess<LWWMap<String, RegisterEntry>> success
                ? Optional.ofNullable(success.get(WorkerRegisterActor.KEY)
                                .getEntries()
                                .get(id))
                        .map(RegisterEntry::lists)
                        .orElse(Set.of())
                : Set.of();
    }

    private static void eventually(Runnable claim) {
        TestProbe<Object> probe = KIT_A.createTestProbe();
        probe.awaitAssert(PATIENCE, () -> {
            claim.run();
            return probe;
        });
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Optional<Registration> find(WorkerRegister node, String id) {
        return node.registered().stream()
                .filter(worker -> worker.id().value().equals(id))
                .findFirst();
    }

    private static WorkerId id(String id) {
        return new WorkerId(id);
    }

    private static Registration worker(String id) {
        return new Registration(
                id(id),
                URI.create("http://" + id + ":8000"),
                Registration.DEFAULT_GROUP,
                EngineFacts.UNKNOWN,
                Map.of(),
                false,
                Registration.Origin.API);
    }

    private static Registration listed(int number) {
        return Registration.ofStatic(URI.create("http://listed-" + number + ":8000"));
    }
}
