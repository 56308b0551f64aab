package io.kvrouter.http.turn;

import io.kvrouter.http.failover.Retries;
import io.kvrouter.http.failover.Retry;
import io.kvrouter.http.turn.Attempts.Answered;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one request: one, and where hedging is on a second one on another worker, if the first byte of the answer
 * is late. Whichever answer begins first is passed on, and the other run ends. A session has one worker, so its turns
 * are not hedged, and neither is a request whose worker is named.
 */
final class Hedge {
    private static final int FIRST_ERROR = 400;

    private final ActorSystem<?> system;
    private final TurnPorts ports;
    private final TurnRequest request;
    private @Nullable Function<URI, UpstreamRequest>
            forwarded; // with its body, which nobody asks for once it is settled
    private final Retries retries;
    private final RunningTurn first;
    private @Nullable RunningTurn second;
    private boolean settled;

    Hedge(ActorSystem<?> system, TurnPorts ports, TurnRequest request, Function<URI, UpstreamRequest> forwarded) {
        this.system = system;
        this.ports = ports;
        this.request = request;
        this.forwarded = forwarded;
        this.retries = ports.limits().retries();
        this.first = new RunningTurn(system, ports, request);
    }

    /** The answer to pass on. */
    CompletionStage<Answered> answer() {
        retries.began();
        var answer = attempts(first, Set.of());
        boolean hedges = !retries.hedgeAfter().isZero()
                && request.session().isEmpty()
                && request.override().isEmpty();
        return (hedges ? raced(answer.thenCompose(Hedge::begun)) : answer)
                .whenComplete((answered, failure) -> forget());
    }

    private CompletionStage<Answered> attempts(RunningTurn turn, Set<WorkerId> excluded) {
        var request = asked();
        return request.isPresent()
                ? new Attempts(ports, turn, request.get(), excluded).answer()
                : CompletableFuture.failedStage(new IllegalStateException("settled"));
    }

    private synchronized Optional<Function<URI, UpstreamRequest>> asked() {
        return Optional.ofNullable(forwarded);
    }

    private synchronized void forget() {
        forwarded = null;
    }

    private CompletionStage<Answered> raced(CompletionStage<Answered> answer) {
        var won = new CompletableFuture<Answered>();
        var other = new CompletableFuture<Answered>();
        Cancellable timer =
                system.scheduler().scheduleOnce(retries.hedgeAfter(), () -> hedge(other), system.executionContext());
        var unused = other.thenAccept(won::complete);
        answer.whenComplete((answered, failure) -> {
            boolean alone = timer.cancel();
            if (failure == null) {
                won.complete(answered);
            } else if (alone) {
                won.completeExceptionally(failure);
            } else {
                var unusedToo = other.exceptionally(none -> failed(won, failure));
            }
        });
        return won.thenApply(this::settle);
    }

    private static @Nullable Answered failed(CompletableFuture<Answered> won, Throwable failure) {
        won.completeExceptionally(failure);
        return null;
    }

    /** Only an answer that is no error is better than to wait for the first worker. */
    private void hedge(CompletableFuture<Answered> other) {
        var slow = first.worker();
        boolean elsewhere = ports.fleet().get().eligible(request.demand()).size() > 1;
        if (slow.isEmpty() || !elsewhere || !retries.allowed(Retry.HEDGE, 1)) {
            other.completeExceptionally(new IllegalStateException("not hedged"));
            return;
        }
        retries.made(Retry.HEDGE);
        RunningTurn turn = begin();
        attempts(turn, Set.of(slow.get())).thenCompose(Hedge::begun).whenComplete((answered, failure) -> {
            if (failure == null && answered.response().status() < FIRST_ERROR) {
                other.complete(answered);
            } else {
                turn.end();
                other.completeExceptionally(new IllegalStateException("no answer", failure));
            }
        });
    }

    private synchronized RunningTurn begin() {
        var turn = new RunningTurn(system, ports, request.again());
        second = turn;
        if (settled) {
            turn.end();
        }
        return turn;
    }

    /** The answer with a first byte of its body, or with its end. */
    private static CompletionStage<Answered> begun(Answered answered) {
        return answered.call().begun().thenApply(begun -> answered);
    }

    private synchronized Answered settle(Answered winner) {
        settled = true;
        if (winner.turn() != first) {
            first.end();
        } else if (second != null) {
            second.end();
        }
        return winner;
    }

    /** The client has gone. */
    synchronized void abandon() {
        first.abandon();
        end();
    }

    /** All runs are over, however they went. */
    synchronized void end() {
        settled = true;
        first.end();
        if (second != null) {
            second.end();
        }
    }
}
