package io.kvrouter.cluster.overview;

import io.kvrouter.cluster.binding.BindingReplica;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.session.BindingTable;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/**
 * Ends all sessions that are bound to a worker. Each end is a row that goes to every node, so they come at a pace that
 * the cluster does not feel, and go on when nobody waits for them any more. One run per worker at a time. A binding that
 * has not reached this node's replica when a run begins is not part of it.
 */
public final class WorkerUnbinding {
    private static final int A_SECOND = 1_000;
    private static final int AT_ONCE = 1_000;

    /**
     * How far a run is.
     *
     * @param sessions that were bound to the worker when it began
     * @param unbound of them so far; one that moved to another worker meanwhile is left alone
     */
    public record Progress(int sessions, int unbound, boolean done) {}

    private static final class Run {
        private final int sessions;
        private final AtomicInteger unbound = new AtomicInteger();
        private final CompletableFuture<Progress> done = new CompletableFuture<>();

        Run(int sessions) {
            this.sessions = sessions;
        }

        Progress progress(boolean isDone) {
            return new Progress(sessions, unbound.get(), isDone);
        }
    }

    private final ActorSystem<?> system;
    private final BindingReplica replica;
    private final Sessions sessions;
    private final Map<WorkerId, Run> runs = new ConcurrentHashMap<>();

    public WorkerUnbinding(ActorSystem<?> system, BindingReplica replica, Sessions sessions) {
        this.system = system;
        this.replica = replica;
        this.sessions = sessions;
    }

    /** Starts a run, or joins the one that is under way; answers when it is done, or how far it is after a while. */
    public CompletionStage<Progress> unbind(WorkerId worker, long nowMs, Duration patience) {
        Run run = runs.computeIfAbsent(worker, any -> start(worker, nowMs));
        var waited = run.done.copy().completeOnTimeout(run.progress(false), patience.toMillis(), TimeUnit.MILLISECONDS);
        return waited.thenApply(progress -> progress.done() ? progress : run.progress(false));
    }

    private Run start(WorkerId worker, long nowMs) {
        List<SessionKey> keys = keys(worker, nowMs);
        var run = new Run(keys.size());
        Source.from(keys)
                .throttle(A_SECOND, Duration.ofSeconds(1))
                .filter(key -> isBound(key, worker))
                .mapAsyncUnordered(AT_ONCE, this::end)
                .runWith(Sink.foreach(ended -> run.unbound.addAndGet(ended)), system)
                .whenCompleteAsync(
                        (done, failure) -> {
                            runs.remove(worker, run);
                            run.done.complete(run.progress(true));
                        },
                        system.executionContext());
        return run;
    }

    private boolean isBound(SessionKey key, WorkerId worker) {
        return sessions.usable(key)
                .filter(binding -> binding.worker().equals(worker))
                .isPresent();
    }

    /** One whose actor is not heard ends when its message arrives; it is not counted. */
    private CompletionStage<Integer> end(SessionKey key) {
        return sessions.unbind(key).handle((answer, failure) -> failure == null ? 1 : 0);
    }

    private List<SessionKey> keys(WorkerId worker, long nowMs) {
        List<SessionKey> keys = new ArrayList<>();
        for (int number = 0; number < SessionKey.TABLES; number++) {
            BindingTable table = replica.table(number);
            for (int i = 0; i < table.size(); i++) {
                if (worker.equals(table.workerAt(i, nowMs))) {
                    keys.add(table.row(i).key());
                }
            }
        }
        return keys;
    }
}
