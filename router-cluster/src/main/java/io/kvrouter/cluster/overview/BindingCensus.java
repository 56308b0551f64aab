package io.kvrouter.cluster.overview;

import io.kvrouter.cluster.binding.NodeBindings;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * How many sessions are bound to each worker, as this node's replica has them. Counted beside everything else, some
 * tables at a time, so that nobody who asks waits for a million rows: an answer is as old as one round, which is half a
 * second up to 50,000 rows and 10 s at a million.
 */
public final class BindingCensus {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final int ROWS_AT_ONCE = 50_000;

    private final NodeBindings bindings;
    private Map<WorkerId, Long> counting = new HashMap<>();
    private int next;
    private volatile Map<WorkerId, Long> counted = Map.of();

    BindingCensus(NodeBindings bindings) {
        this.bindings = bindings;
    }

    /** Counts for as long as the actor system lives. */
    public static BindingCensus start(ActorSystem<?> system, NodeBindings bindings) {
        var census = new BindingCensus(bindings);
        system.scheduler().scheduleWithFixedDelay(INTERVAL, INTERVAL, census::countSome, system.executionContext());
        return census;
    }

    /** Bound sessions by worker; a worker without any is left out. */
    public Map<WorkerId, Long> byWorker() {
        return counted;
    }

    /** One call follows another. */
    void countSome() {
        int rows = 0;
        while (next < SessionKey.TABLES && rows < ROWS_AT_ONCE) {
            BindingTable table = bindings.replica().table(next++);
            count(table, bindings.clock().millis());
            rows += table.size();
        }
        if (next == SessionKey.TABLES) {
            counted = Map.copyOf(counting);
            counting = new HashMap<>();
            next = 0;
        }
    }

    private void count(BindingTable table, long nowMs) {
        for (int i = 0; i < table.size(); i++) {
            WorkerId worker = table.workerAt(i, nowMs);
            if (worker != null) {
                counting.merge(worker, 1L, Long::sum);
            }
        }
    }
}
