package io.kvrouter.cluster.binding;

import io.kvrouter.cluster.binding.table.BindingTableData;
import io.kvrouter.cluster.binding.table.ReplicatedTables;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Brings this node's rows to all nodes, gathered for a few milliseconds: straight to the others' replicas, in one
 * message each, and into Distributed Data, which makes good for what is lost. Refreshes may wait longer, they only keep
 * a row from being dropped.
 */
final class BindingWriter extends AbstractMatchingBehavior<BindingWriter.Command> {
    /** About 140 KB: a frame has room for many times that. */
    private static final int ROWS_A_MESSAGE = 4_096;

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

    private record Heard(BindingPeer.Taken taken) implements Command {}

    private record Overdue(long delivery) implements Command {}

    /**
     * Where rows go.
     *
     * @param others the peers on the other members, by the members' uids
     */
    record Ways(ReplicatedTables tables, Supplier<Map<Long, ActorRef<BindingPeer.Command>>> others) {}

    private final BindingSettings settings;
    private final BindingCounts counts;
    private final TimerScheduler<Command> timers;
    private final Ways ways;
    private final ActorRef<BindingPeer.Taken> ears;
    private final PendingRows pending = new PendingRows();
    private final Deliveries deliveries = new Deliveries();

    private BindingWriter(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            Ways ways,
            BindingSettings settings,
            BindingCounts counts) {
        super(context);
        this.settings = settings;
        this.counts = counts;
        this.timers = timers;
        this.ways = ways;
        this.ears = context.messageAdapter(BindingPeer.Taken.class, Heard::new);
    }

    static Behavior<Command> create(Ways ways, BindingSettings settings, BindingCounts counts) {
        return Behaviors.setup(
                context -> Behaviors.withTimers(timers -> new BindingWriter(context, timers, ways, settings, counts)));
    }

    @Override
    public Behavior<Command> onMessage(Command command) {
        switch (command) {
            case Write write -> onWrite(write);
            case Flush flush -> onFlush(flush);
            case Tick tick -> send(pending.due(tick == Tick.URGENT));
            case Heard(BindingPeer.Taken(long delivery, long by)) -> onTaken(delivery, by);
            case Overdue(long delivery) ->
                deliveries.find(delivery).ifPresent(late -> {
                    counts.unconfirmed();
                    deliveries.end(delivery);
                });
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
            send(List.of(table));
        }
        deliveries.await(table, flush.replyTo());
    }

    private void onTaken(long number, long by) {
        deliveries.taken(number, by).ifPresent(everywhere -> {
            timers.cancel(new Overdue(number));
            confirmed(everywhere.madeAtNanos());
            deliveries.end(number);
        });
    }

    private void send(Collection<Integer> tables) {
        List<PendingRows.Taken> message = new ArrayList<>();
        int rows = 0;
        for (int table : tables) {
            var taken = pending.take(table);
            replicate(taken);
            message.add(taken);
            rows += taken.rows().size();
            if (rows >= ROWS_A_MESSAGE) {
                deliver(message);
                message.clear();
                rows = 0;
            }
        }
        if (rows > 0) {
            deliver(message);
        }
    }

    private void replicate(PendingRows.Taken taken) {
        ways.tables().change(taken.table(), data -> bounded(data.with(taken.rows())));
    }

    private BindingTableData bounded(BindingTableData data) {
        var bounded = data.atMost(settings.maxRows());
        counts.bounded(data.table().size() - bounded.table().size());
        return bounded;
    }

    private void deliver(List<PendingRows.Taken> message) {
        counts.write();
        var made = oldest(message);
        var others = ways.others().get();
        if (others.isEmpty()) {
            confirmed(made);
            return;
        }
        var tables = message.stream().map(PendingRows.Taken::table).toList();
        long delivery = deliveries.begin(tables, made, others.keySet());
        var overdue = new Overdue(delivery);
        timers.startSingleTimer(overdue, overdue, settings.writeTimeout());
        var rows = new BindingPeer.Rows(delivery, together(message), ears);
        others.values().forEach(peer -> peer.tell(rows));
    }

    private void confirmed(OptionalLong madeAtNanos) {
        madeAtNanos.ifPresent(made -> counts.confirmed(Duration.ofNanos(System.nanoTime() - made)));
    }

    private static OptionalLong oldest(List<PendingRows.Taken> message) {
        return message.stream()
                .flatMapToLong(taken -> taken.oldestUrgent().stream())
                .min();
    }

    private static BindingTable together(List<PendingRows.Taken> message) {
        List<BindingRow> rows = message.stream()
                .map(PendingRows.Taken::rows)
                .flatMap(table -> IntStream.range(0, table.size()).mapToObj(table::row))
                .toList();
        return BindingTable.of(0, rows);
    }
}
