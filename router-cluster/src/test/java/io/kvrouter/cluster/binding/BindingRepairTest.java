package io.kvrouter.cluster.binding;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.cluster.binding.table.BindingTableData;
import io.kvrouter.cluster.binding.table.ReplicatedTables;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class BindingRepairTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());
    private static final BindingRow ROW = row(1, 100);

    private final BindingReplica replica = new BindingReplica();
    private final TestProbe<Replicator.Command> replicator = KIT.createTestProbe();
    private final BindingRepair repair =
            new BindingRepair(replica, new ReplicatedTables(KIT.system(), replicator.ref()));

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void aRowThatNobodyReplicatedInTimeIsReplicatedByWhoHasIt() {
        replica.merge(ROW);
        repair.round();
        replica.merge(row(2, 100)); // may still be on its way
        replicator.expectNoMessage();

        repair.round();

        assertThat(replicated()).isEqualTo(BindingTable.of(ROW));
    }

    @Test
    void aRowThatWasReplicatedIsLeftAlone() {
        replica.merge(ROW);
        repair.round();
        replica.merge(ROW.key().table(), BindingTable.of(ROW));

        repair.round();

        replicator.expectNoMessage();
    }

    @Test
    void aRowThatChangedSinceIsGivenItsTime() {
        replica.merge(ROW);
        repair.round();
        replica.merge(row(1, 200));

        repair.round();

        replicator.expectNoMessage();
    }

    @SuppressWarnings("unchecked")
    private BindingTable replicated() {
        var update = (Replicator.Update<BindingTableData>) replicator.expectMessageClass(Replicator.Update.class);
        return update.modify().apply(scala.Option.apply(BindingTableData.EMPTY)).table();
    }

    private static BindingRow row(int session, long deadline) {
        return new BindingRow(new SessionKey(session, 1), 1, new WorkerId("a"), 0, deadline);
    }
}
