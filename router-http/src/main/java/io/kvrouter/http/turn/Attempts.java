package io.kvrouter.http.turn;

import io.kvrouter.http.failover.Outcomes;
import io.kvrouter.http.failover.Retries;
import io.kvrouter.http.failover.Retry;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.Cause;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.http.upstream.UpstreamResponse;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Forwards a turn, and before the first byte tries another worker where that may help (step 6). A worker that can't be
 * reached is replaced; one that pushes back is passed round. When no other takes the turn, the last answer counts.
 */
final class Attempts {
    private static final int BAD_GATEWAY = 502;
    private static final String RANK = "X-data-parallel-rank";

    /** An answer to pass on. */
    record Answered(RunningTurn turn, Placement placement, Call call, UpstreamResponse response) {}

    private final TurnPorts ports;
    private final RunningTurn turn;
    private final Placer placer;
    private final Retries retries;
    private final Executor loop;
    private final Function<URI, UpstreamRequest> request;
    private int attempts;
    private long sent;
    private Optional<Answered> kept = Optional.empty();

    /**
     * A turn that was not placed yet.
     *
     * @param request its request to a worker at this base URL
     * @param excluded workers that it should not go to
     */
    Attempts(TurnPorts ports, RunningTurn turn, Function<URI, UpstreamRequest> request, Set<WorkerId> excluded) {
        this.ports = ports;
        this.turn = turn;
        this.placer = new Placer(ports, turn, excluded);
        this.retries = ports.limits().retries();
        this.loop = ports.loop().get();
        this.request = request;
    }

    /** The answer to pass on; fails with an {@link ApiException} if there is none. */
    CompletionStage<Answered> answer() {
        long began = System.nanoTime();
        return placer.place()
                .thenApply(placed -> {
                    ports.meter().resolved(placed.decision(), System.nanoTime() - began);
                    return placed;
                })
                .thenComposeAsync(this::attempt, loop)
                .whenComplete((answered, failure) -> {
                    if (failure != null) {
                        dropKept();
                    }
                });
    }

    private CompletionStage<Answered> attempt(Placement placement) {
        if (turn.over()) {
            return CompletableFuture.failedStage(new ApiException(ApiError.badGateway("client_gone")));
        }
        attempts++;
        sent = System.nanoTime();
        var worker = ports.fleet().get().worker(placement.worker());
        if (worker.isEmpty()) { // deregistered since it was booked
            return failed(placement, UpstreamFailure.CONNECT_FAILED);
        }
        Call call = ports.upstream().call(request(worker.get(), placement.rank()));
        turn.calling(call);
        turn.dispatched();
        return call.response()
                .handle((response, failure) -> failure == null
                        ? head(new Answered(turn, placement, call, response))
                        : failed(placement, failure(failure)))
                .thenCompose(Function.identity());
    }

    /** An engine with several ranks is told which of them has the prompt cached. */
    private UpstreamRequest request(Worker worker, int rank) {
        UpstreamRequest forwarded = request.apply(worker.registration().url());
        return worker.ranks() == 1 ? forwarded : forwarded.with(new Header(RANK, Integer.toString(rank)));
    }

    private CompletionStage<Answered> head(Answered answered) {
        int status = answered.response().status();
        ports.fleet().report(answered.placement().worker(), Outcomes.of(status), sent);
        if (!Outcomes.pushesBack(status)) {
            return passOn(answered);
        }
        letRest(answered);
        if (waits(answered) || spent(Retry.PUSHED_BACK)) {
            return passOn(answered);
        }
        dropKept();
        kept = Optional.of(answered);
        return next(Retry.PUSHED_BACK, () -> placer.detour(answered.placement()), ApiError.noWorker());
    }

    private void letRest(Answered answered) {
        var headers = answered.response().headers();
        headers.stream()
                .filter(header -> header.is("retry-after"))
                .map(header -> retries.rest(header.value()))
                .filter(rest -> !rest.isZero())
                .findFirst()
                .ifPresent(rest -> ports.fleet().rest(answered.placement().worker(), rest));
    }

    /** In mode {@code hard} the client hears what its session's worker says, and waits for it. */
    private boolean waits(Answered answered) {
        return turn.request().hard()
                && answered.placement().decision() == Decision.PINNED
                && answered.response().status() != BAD_GATEWAY;
    }

    private CompletionStage<Answered> failed(Placement placement, UpstreamFailure failure) {
        ApiError otherwise = failure.beforeSending()
                ? ApiError.connectFailed()
                : ApiError.badGateway(failure.name().toLowerCase(Locale.ROOT));
        if (failure.beforeSending()) {
            ports.fleet().suspect(placement.worker());
            return spent(Retry.CONNECT)
                    ? keptOr(otherwise)
                    : next(Retry.CONNECT, () -> placer.replace(placement), otherwise);
        }
        ports.fleet().report(placement.worker(), Outcomes.of(failure, false), sent);
        return failure != UpstreamFailure.RESET_BEFORE_HEAD || spent(Retry.RESET)
                ? keptOr(otherwise)
                : next(Retry.RESET, () -> placer.detour(placement), otherwise);
    }

    private boolean spent(Retry why) {
        return turn.over() || !retries.allowed(why, attempts);
    }

    /**
     * The next worker is booked when it is its turn: what waits holds nothing there. The booking comes on the load actor's
     * thread, for which connecting and carrying a body is too much.
     */
    private CompletionStage<Answered> next(Retry why, Supplier<CompletionStage<Placement>> place, ApiError otherwise) {
        return retries.pause(why, attempts, loop)
                .thenCompose(waited -> place.get())
                .handleAsync((placement, none) -> none == null ? again(why, placement) : keptOr(otherwise), loop)
                .thenCompose(Function.identity());
    }

    private CompletionStage<Answered> again(Retry why, Placement placement) {
        retries.made(why);
        return attempt(placement);
    }

    private CompletionStage<Answered> keptOr(ApiError otherwise) {
        kept.ifPresent(answered -> turn.calling(answered.call())); // what ends the turn ends this call
        return kept.<CompletionStage<Answered>>map(CompletableFuture::completedStage)
                .orElseGet(() -> CompletableFuture.failedStage(new ApiException(otherwise)));
    }

    private CompletionStage<Answered> passOn(Answered answered) {
        dropKept();
        return CompletableFuture.completedStage(answered);
    }

    private void dropKept() {
        kept.ifPresent(answered -> answered.call().abort());
        kept = Optional.empty();
    }

    private static UpstreamFailure failure(Throwable failure) {
        Throwable cause = Cause.of(failure);
        return cause instanceof UpstreamException known ? known.failure() : UpstreamFailure.BAD_RESPONSE;
    }
}
