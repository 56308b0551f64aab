package io.kvrouter.cluster.binding;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.Done;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class BindingWriterTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.parseString(
                    "kvrouter.bindings.flush-interval = 50 ms, kvrouter.bindings.refresh-interval = 1 h,"
                            + "kvrouter.bindings.max-sessions = 2048")
            .withFallback(ConfigFactory.load()));
    private static final SessionKey KEY = new SessionKey(1, 7);
    private static final SessionKey SAME_TABLE = new SessionKey(2, 7);
    private static final SessionKey OTHER_TABLE = new SessionKey(2, 8);

    private final TestProbe<Replicator.Command> replicator = KIT.createTestProbe();
    private final TestProbe<Done> done = KIT.createTestProbe();
    private final BindingCounts counts = new BindingCounts();
    private final ActorRef<BindingWriter.Command> writer = KIT.spawn(BindingWriter.create(
            replicator.ref(), BindingSettings.of(KIT.system().settings().config()), counts));

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void rowsOfOneTableShareAWriteToAllNodes() {
        write(KEY, true);
        write(SAME_TABLE, true);

        var update = update();

        assertThat(update.key().id()).isEqualTo("bindings-7");
        assertThat(update.writeConsistency()).isInstanceOf(Replicator.WriteAll.class);
        assertThat(written(update)).isEqualTo(table(KEY).merge(table(SAME_TABLE)));
    }

    @Test
    void aRefreshTravelsWithAnUrgentRowOfItsTableOnly() {
        write(SAME_TABLE, false);
        write(OTHER_TABLE, false);
        write(KEY, true);

        assertThat(written(update()).size()).isEqualTo(2);
        replicator.expectNoMessage(Duration.ofMillis(200));
    }

    @Test
    void aFlushAnswersAtOnceWhenNothingIsLeft() {
        writer.tell(new BindingWriter.Flush(KEY, done.ref()));

        done.receiveMessage();
    }

    @Test
    void aFlushWritesWhatWaitsAndAnswersWhenTheOthersHaveIt() {
        write(KEY, false);
        writer.tell(new BindingWriter.Flush(KEY, done.ref()));

        var update = update();
        done.expectNoMessage(Duration.ofMillis(100));
        update.replyTo().tell(new Replicator.UpdateSuccess<>(update.key()));

        done.receiveMessage();
        assertThat(counts.unconfirmedWrites()).isZero();
    }

    @Test
    void aWriteThatTimesOutIsCountedAndNotRepeated() {
        write(KEY, true);
        var update = update();
        writer.tell(new BindingWriter.Flush(KEY, done.ref()));

        update.replyTo().tell(new Replicator.UpdateTimeout<>(update.key()));

        done.receiveMessage();
        assertThat(counts.unconfirmedWrites()).isEqualTo(1);
        replicator.expectNoMessage(Duration.ofMillis(200));
    }

    @Test
    void rowsAndRefreshesAreCounted() {
        write(KEY, true);
        write(SAME_TABLE, false);
        update();

        assertThat(counts.rows()).isEqualTo(2);
        assertThat(counts.refreshes()).isEqualTo(1);
        assertThat(counts.writes()).isEqualTo(1);
    }

    @Test
    void theLagOfARowRunsUntilAllNodesHaveConfirmedIt() {
        write(KEY, true);
        var update = update();
        assertThat(confirmed()).isZero();

        writer.tell(new BindingWriter.Flush(KEY, done.ref()));
        update.replyTo().tell(new Replicator.UpdateSuccess<>(update.key()));
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
