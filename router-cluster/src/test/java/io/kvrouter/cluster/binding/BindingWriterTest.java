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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.pekko.Done;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class BindingWriterTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.parseString(
                    "kvrouter.bindings.flush-interval = 200 ms, kvrouter.bindings.refresh-interval = 1 h,"
                            + "kvrouter.bindings.max-sessions = 16384")
            .withFallback(ConfigFactory.load()));
    private static final long NEAR = -5;
    private static final long FAR = 7;
    private static final SessionKey KEY = new SessionKey(1, 7);
    private static final SessionKey SAME_TABLE = new SessionKey(2, 7);
    private static final SessionKey OTHER_TABLE = new SessionKey(2, 8);

    private final TestProbe<Replicator.Command> replicator = KIT.createTestProbe();
    private final TestProbe<BindingPeer.Command> near = KIT.createTestProbe();
    private final TestProbe<BindingPeer.Command> far = KIT.createTestProbe();
    private final TestProbe<Done> done = KIT.createTestProbe();
    private final BindingCounts counts = new BindingCounts();
    private Map<Long, ActorRef<BindingPeer.Command>> others = Map.of(NEAR, near.ref(), FAR, far.ref());
    private final ActorRef<BindingWriter.Command> writer = KIT.spawn(BindingWriter.create(
            new BindingWriter.Ways(new ReplicatedTables(KIT.system(), replicator.ref()), () -> others),
            BindingSettings.of(KIT.system().settings().config()),
            counts));

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void newRowsOfAllTablesGoToEveryOtherNodeInOneMessage() {
        write(KEY, true);
        write(OTHER_TABLE, true);

        var rows = rows(near).rows();

        assertThat(rows).isEqualTo(table(KEY).merge(table(OTHER_TABLE)));
        assertThat(rows(far).rows()).isEqualTo(rows);
    }

    @Test
    void newRowsGoIntoDistributedDataTableByTable() {
        write(KEY, true);
        write(SAME_TABLE, true);

        var update = update();

        assertThat(update.key().id()).isEqualTo("bindings-7");
        assertThat(update.writeConsistency()).isEqualTo(Replicator.writeLocal());
        assertThat(written(update)).isEqualTo(table(KEY).merge(table(SAME_TABLE)));
    }

    @Test
    void aRefreshTravelsWithAnUrgentRowOfItsTableOnly() {
        write(SAME_TABLE, false);
        write(OTHER_TABLE, false);
        write(KEY, true);

        assertThat(rows(near).rows().size()).isEqualTo(2);
        near.expectNoMessage(Duration.ofMillis(200));
    }

    @Test
    void manyRowsGoInSeveralMessages() {
        int tables = 1_000;
        int rows = 5;
        for (int i = 0; i < tables * rows; i++) {
            write(new SessionKey(i, i % tables), true);
        }

        int arrived = 0;
        int messages = 0;
        while (arrived < tables * rows) {
            var some = rows(near).rows().size();
            assertThat(some).isLessThanOrEqualTo(4_096 + rows);
            arrived += some;
            messages++;
        }

        assertThat(messages).isGreaterThan(1);
    }

    @Test
    void aFlushAnswersAtOnceWhenNothingIsLeft() {
        writer.tell(new BindingWriter.Flush(KEY, done.ref()));

        done.receiveMessage();
    }

    @Test
    void aFlushWritesWhatWaitsAndAnswersWhenAllOthersHaveIt() {
        write(KEY, false);
        writer.tell(new BindingWriter.Flush(KEY, done.ref()));
        var rows = rows(near);

        take(rows, NEAR);
        take(rows, NEAR); // said twice
        done.expectNoMessage(Duration.ofMillis(100));
        take(rows, FAR);

        done.receiveMessage();
        assertThat(counts.unconfirmedWrites()).isZero();
    }

    @Test
    void whatIsNotTakenInTimeIsCountedAndNotRepeated() {
        write(KEY, true);
        rows(far);
        take(rows(near), NEAR);
        writer.tell(new BindingWriter.Flush(KEY, done.ref()));

        done.receiveMessage();

        assertThat(counts.unconfirmedWrites()).isEqualTo(1);
        far.expectNoMessage(Duration.ofMillis(200));
        assertThat(confirmed()).isZero();
    }

    @Test
    void aNodeAloneHasNobodyToWaitFor() {
        others = Map.of();
        write(KEY, true);
        writer.tell(new BindingWriter.Flush(KEY, done.ref()));

        done.receiveMessage();

        assertThat(confirmed()).isEqualTo(1);
    }

    @Test
    void rowsAndRefreshesAreCounted() {
        write(KEY, true);
        write(SAME_TABLE, false);
        rows(near);

        assertThat(counts.rows()).isEqualTo(2);
        assertThat(counts.refreshes()).isEqualTo(1);
        assertThat(counts.writes()).isEqualTo(1);
    }

    @Test
    void theLagOfARowRunsUntilAllNodesHaveIt() {
        write(KEY, true);
        take(rows(near), NEAR);
        assertThat(confirmed()).isZero();

        writer.tell(new BindingWriter.Flush(KEY, done.ref()));
        take(rows(far), FAR);
        done.receiveMessage();

        assertThat(confirmed()).isEqualTo(1);
        assertThat(counts.lag().sum()).isPositive();
    }

    @Test
    void theRowsNearestToTheirDeadlineGoWhenATableIsOverItsBound() {
        var full = BindingTableData.of(BindingTable.of(
                0, List.of(row(new SessionKey(3, 7), 500), row(new SessionKey(4, 7), 400))));
        write(KEY, true);

        var bounded = update().modify().apply(scala.Option.apply(full));

        assertThat(bounded.table().size()).isEqualTo(2);
        assertThat(bounded.table().row(new SessionKey(4, 7))).isEmpty();
        assertThat(bounded.deltaData().orElseThrow().table().floor()).isEqualTo(400);
        assertThat(counts.boundedRows()).isEqualTo(1);
    }

    private BindingPeer.Rows rows(TestProbe<BindingPeer.Command> peer) {
        return peer.expectMessageClass(BindingPeer.Rows.class);
    }

    private static void take(BindingPeer.Rows rows, long by) {
        rows.replyTo().tell(new BindingPeer.Taken(rows.delivery(), by));
    }

    private long confirmed() {
        return Arrays.stream(counts.lag().counts()).sum();
    }

    private void write(SessionKey key, boolean urgent) {
        writer.tell(new BindingWriter.Write(row(key), urgent, System.nanoTime()));
    }

    @SuppressWarnings("unchecked")
    private Replicator.Update<BindingTableData> update() {
        return (Replicator.Update<BindingTableData>) replicator.expectMessageClass(Replicator.Update.class);
    }

    private static BindingTable written(Replicator.Update<BindingTableData> update) {
        return update.modify()
                .apply(scala.Option.apply(BindingTableData.EMPTY))
                .deltaData()
                .orElseThrow()
                .table();
    }

    private static BindingTable table(SessionKey key) {
        return BindingTable.of(row(key));
    }

    private static BindingRow row(SessionKey key) {
        return row(key, 1_000);
    }

    private static BindingRow row(SessionKey key, long deadline) {
        return new BindingRow(key, 1L << 16, new WorkerId("a"), 0, deadline);
    }
}
