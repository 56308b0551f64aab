package io.kvrouter.http.reservation;

import io.kvrouter.cluster.reservation.ReservationCall;
import io.kvrouter.cluster.reservation.ReservationPeers;
import io.kvrouter.cluster.reservation.Standing;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.turn.HeldTurn;
import io.kvrouter.http.turn.Placement;
import io.kvrouter.http.turn.TurnPorts;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Reservations of the whole cluster, as seen from one node: it holds those that were made here, and finds the node of
 * any other. Any thread; nothing blocks.
 */
public final class Reservations {
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final Duration SHORTEST_ROUND = Duration.ofMillis(10);
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(1);
    private static final int ROUNDS_PER_LEASE = 20;

    private final ActorSystem<?> system;
    private final TurnPorts ports;
    private final HeldReservations held;
    private final ReservationPeers peers;

    private Reservations(ActorSystem<?> system, TurnPorts ports, HeldReservations held, ReservationPeers peers) {
        this.system = system;
        this.ports = ports;
        this.held = held;
        this.peers = peers;
    }

    /**
     * Starts this node's part. Once per actor system.
     *
     * @param lease how long a reservation counts without a word of its caller
     */
    public static Reservations start(ActorSystem<?> system, TurnPorts ports, Duration lease, InstantSource clock) {
        var held = new HeldReservations(lease, clock);
        var round = lease.dividedBy(ROUNDS_PER_LEASE);
        round = round.compareTo(SHORTEST_ROUND) < 0 ? SHORTEST_ROUND : round;
        round = round.compareTo(LONGEST_ROUND) > 0 ? LONGEST_ROUND : round;
        system.scheduler().scheduleWithFixedDelay(round, round, held::expire, system.executionContext());
        return new Reservations(system, ports, held, ReservationPeers.start(system, held::call));
    }

    /** Reservations that this node holds now. */
    public int size() {
        return held.size();
    }

    /** Reservations of this node whose lease has ended so far. */
    public long expired() {
        return held.expired();
    }

    /** Selects a worker for a turn, as for one that is forwarded, and holds its reservation here. */
    public CompletionStage<Answered> selectAndReserve(
            Optional<String> own, TurnRequest request, long expected, Gone gone) {
        var name = ReservationName.on(peers.self(), own);
        return hold(name, request, expected, gone, HeldTurn::place);
    }

    /** Books a named worker for a request that its caller has placed, here or through a node that is gone. */
    public CompletionStage<Answered> mirror(
            Optional<String> named, TurnRequest request, long expected, Gone gone, Target target) {
        Function<HeldTurn, CompletionStage<Placement>> booking = turn -> turn.book(target.worker(), target.rank());
        Optional<ReservationName> full = named.flatMap(ReservationName::full);
        if (full.isEmpty()) {
            return hold(ReservationName.on(peers.self(), named), request, expected, gone, booking);
        }
        ReservationName name = full.get();
        var look = new ReservationCall.Look(name.toString());
        boolean owned = peers.isMember(name.node());
        return (owned ? ofOwner(name, look) : ofAnybody(look)).thenCompose(standing -> {
            if (standing == Standing.ENDED) {
                return CompletableFuture.completedStage(Answered.ended(name));
            }
            if (owned) { // its load is in this node's view already
                return CompletableFuture.completedStage(new Answered.NotMirrored(name));
            }
            return standing.held()
                    ? CompletableFuture.failedStage(twice())
                    : hold(name, request, expected, gone, booking);
        });
    }

    /** The worker and rank that a caller has chosen. */
    public record Target(WorkerId worker, int rank) {}

    private CompletionStage<Answered> hold(
            ReservationName name,
            TurnRequest request,
            long expected,
            Gone gone,
            Function<HeldTurn, CompletionStage<Placement>> placing) {
        var turn = new HeldTurn(system, ports, request);
        var load = HeldLoad.of(turn);
        return switch (held.begin(name, load, expected)) {
            case TWICE -> CompletableFuture.failedStage(twice());
            case ENDED -> CompletableFuture.completedStage(Answered.ended(name));
            case NEW -> {
                gone.then(() -> held.forget(name, load));
                yield placing.apply(turn)
                        .whenComplete((placement, failure) -> {
                            if (failure != null) {
                                held.forget(name, load);
                            }
                        })
                        .thenApply(placement -> booked(name, turn, placement));
            }
        };
    }

    private Answered booked(ReservationName name, HeldTurn turn, Placement placement) {
        Optional<Worker> worker = ports.fleet().get().worker(placement.worker());
        held.placed(name, HeldLoad.of(turn), worker.map(Worker::blockSize).orElse(Worker.DEFAULT_BLOCK_SIZE));
        return turn.over()
                ? Answered.ended(name)
                : new Answered.Booked(name, placement, turn.promptTokens(), held.lease());
    }

    /** What a caller says of a reservation, wherever that is held. */
    public CompletionStage<Answered.Stands> call(ReservationName name, ReservationCall call) {
        boolean owned = peers.isMember(name.node());
        return (owned ? ofOwner(name, call) : ofAnybody(call)).thenApply(standing -> {
            if (standing == Standing.UNKNOWN) {
                throw unknown(owned);
            }
            return new Answered.Stands(name, standing);
        });
    }

    private CompletionStage<Standing> ofOwner(ReservationName name, ReservationCall call) {
        if (name.node() == peers.self()) {
            return CompletableFuture.completedStage(held.call(call));
        }
        return peers.ask(name.node(), call)
                .exceptionally(silent -> {
                    throw new ApiException(ApiError.ownerSilent(), silent);
                })
                .thenApply(standing -> standing.orElse(Standing.UNKNOWN));
    }

    /** Its node is gone: whoever mirrors it may hold it. All are told, so that an end is remembered everywhere. */
    private CompletionStage<Standing> ofAnybody(ReservationCall call) {
        Standing own = held.call(call);
        return own.held()
                ? CompletableFuture.completedStage(own)
                : peers.askAll(call).thenApply(others -> others.compareTo(own) < 0 ? others : own);
    }

    private static ApiException twice() {
        return new ApiException(
                ApiError.refused(CONFLICT, "reservation_exists", "There is a reservation of this id already."));
    }

    private static ApiException unknown(boolean owned) {
        return new ApiException(
                owned
                        ? ApiError.refused(NOT_FOUND, "unknown_reservation", "There is no reservation of this id.")
                        : ApiError.refused(
                                NOT_FOUND,
                                "owner_gone",
                                "The node of this reservation is gone, and its load with it."));
    }
}
