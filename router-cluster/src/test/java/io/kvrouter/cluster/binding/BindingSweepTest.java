package io.kvrouter.cluster.binding;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.cluster.binding.table.BindingTableData;
import io.kvrouter.cluster.binding.table.ReplicatedTables;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class BindingSweepTest {
    private static final ActorTestKit KIT =
            ActorTestKit.create(ManualTime.config().withFallback(ConfigFactory.load()));
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final long DEADLINE = 1_000_000;

    private static final BindingRow ROW = row(1);

    private final BindingReplica replica = new BindingReplica();
    private final BindingCounts counts = new BindingCounts();
    private final ManualTime time = ManualTime.get(KIT.system());
    private final TestProbe<Replicator.Command> replicator = KIT.createTestProbe();
    private final AtomicReference<OptionalLong> lowest = new AtomicReference<>(OptionalLong.empty());

    BindingSweepTest() {
        replica.merge(ROW);
        var settings = BindingSettings.of(KIT.system().settings().config());
        KIT.spawn(BindingSweep.create(
                new ReplicatedTables(KIT.system(), replicator.ref()),
                new BindingSweep.Memory(replica, counts),
                settings,
                lowest::get));
    }

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void nothingIsSweptWhileTheClocksOfTheOthersAreNotKnown() {
        time.timePasses(INTERVAL);

        replicator.expectNoMessage();
    }

    @Test
    void aRowThatEveryClockIsPastIsSwept() {
        lowest.set(OptionalLong.of(DEADLINE + Duration.ofMinutes(1).toMillis()));

        time.timePasses(INTERVAL);

        assertThat(replicator.receiveMessage()).isInstanceOf(Replicator.Update.class);
    }

    @Test
    @SuppressWarnings("unchecked")
    void whatIsSweptIsCounted() {
        lowest.set(OptionalLong.of(DEADLINE + Duration.ofMinutes(1).toMillis()));
        time.timePasses(INTERVAL);

        var update = (Replicator.Update<BindingTableData>) replicator.expectMessageClass(Replicator.Update.class);
        var swept = update.modify().apply(scala.Option.apply(BindingTableData.of(BindingTable.of(ROW))));

        assertThat(swept.table().size()).isZero();
        assertThat(counts.sweptRows()).isEqualTo(1);
        assertThat(counts.boundedRows()).isZero();
    }

    @Test
    void aTableOverItsBoundIsBroughtDownThoughNothingIsDue() {
        replica.merge(
                1,
                BindingTable.of(
                        0,
                        IntStream.range(0, 2_001)
                                .mapToObj(BindingSweepTest::row)
                                .toList()));
        lowest.set(OptionalLong.of(0));

        time.timePasses(INTERVAL);

        assertThat(replicator.receiveMessage()).isInstanceOf(Replicator.Update.class);
    }

    @Test
    void aRowIsKeptWhileOneClockIsBehindItsDeadline() {
        lowest.set(OptionalLong.of(DEADLINE));

        time.timePasses(INTERVAL);

        replicator.expectNoMessage();
    }

    private static BindingRow row(int session) {
        return new BindingRow(new SessionKey(session, 1), 1, new WorkerId("a"), 0, DEADLINE);
    }
}
