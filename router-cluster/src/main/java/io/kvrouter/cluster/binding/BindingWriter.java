package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.binding.BindingTableData.TableKey;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.SessionKey;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.ddata.typed.javadsl.ReplicatorMessageAdapter;

/**
 * Writes this node's rows to all nodes, gathered for a few milliseconds: one write for each table that has something
 * new. Refreshes may wait longer, they only keep a row from being dropped.
 */
final class BindingWriter extends AbstractMatchingBehavior<BindingWriter.Command> {
    sealed interface Command {}

    /**
     * A row to be written.
     *
     * @param urgent unless it is a refresh
     * @param madeAtNanos on this JVM's own timer
     */
    record Write(BindingRow row, boolean urgent, long madeAtNanos) implements Command {}

    /** Wants to hear when nothing of the session is left to be written. */
    record Flush(SessionKey key, ActorRef<Done> replyTo) implements Command {}

    private enum Tick implements Command {
        URGENT,
        ALL
    }

    private record Written(int table, boolean everywhere, OptionalLong madeAtNanos) implements Command {}

    private final BindingSettings settings;
    private final BindingCounts counts;
    private final TimerScheduler<Command> timers;
    private final ReplicatorMessageAdapter<Command, BindingTableData> replicator;
    private final PendingRows pending = new PendingRows();

    private BindingWriter(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            ActorRef<Replicator.Command> replicator,
            BindingSettings settings,
            BindingCounts counts) {
        super(context);
        this.settings = settings;
        this.counts = counts;
        this.timers = timers;
        this.replicator = new ReplicatorMessageAdapter<>(
                context, replicator, settings.writeTimeout().multipliedBy(2));
    }

    static Behavior<Command> create(
            ActorRef<Replicator.Command> replicator, BindingSettings settings, BindingCounts counts) {
        return Behaviors.setup(context ->
                Behaviors.withTimers(timers -> new BindingWriter(context, timers, replicator, settings, counts)));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Write write -> onWrite(write);
            case Flush flush -> onFlush(flush);
            case Tick tick -> pending.due(tick == Tick.URGENT).forEach(this::send);
            case Written written -> onWritten(written);
        }
        return this;
    }

    private void onWrite(Write write) {
        pending.add(write.row(), write.urgent(), write.madeAtNanos());
        counts.published(!write.urgent());
        var tick = write.urgent() ? Tick.URGENT : Tick.ALL;
        if (!timers.isTimerActive(tick)) {
            timers.startSingleTimer(tick, tick, write.urgent() ? settings.flush() : settings.refresh());
        }
    }

    private void onFlush(Flush flush) {
        int table = flush.key().table();
        if (pending.has(table)) {
            send(table);
        }
        pending.await(table, flush.replyTo());
    }

    private void onWritten(Written written) {
        if (written.everywhere()) {
            written.madeAtNanos().ifPresent(made -> counts.confirmed(Duration.ofNanos(System.nanoTime() - made)));
        } else {
            counts.unconfirmed();
        }
        pending.written(written.table()).forEach(waiting -> waiting.tell(Done.getInstance()));
    }

    private void send(int table) {
        var madeAt = pending.oldest(table);
        var rows = pending.take(table);
        counts.write();
        replicator.askUpdate(
                replyTo -> new Replicator.Update<>(
                        TableKey.ALL.get(table),
                        BindingTableData.EMPTY,
                        toAll(settings.writeTimeout()),
                        replyTo,
                        data -> bounded(data.with(rows))),
                response -> new Written(table, response instanceof Replicator.UpdateSuccess, madeAt));
    }

    private BindingTableData bounded(BindingTableData data) {
        var bounded = data.atMost(settings.maxRows());
        counts.bounded(data.table().size() - bounded.table().size());
        return bounded;
    }

    private static Replicator.WriteConsistency toAll(Duration timeout) {
        return new Replicator.WriteAll(timeout);
    }
}
