package io.kvrouter.http.turn;

import io.kvrouter.admission.Shed;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.Workload;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.session.Known;
import io.kvrouter.worker.WorkerId;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * A turn that is placed here and served elsewhere, by a caller with a data plane of its own: it holds what a turn holds,
 * but no call to a worker. What makes it go on, and what ends it, the caller says. Safe for use by several threads.
 */
public final class HeldTurn {
    private final TurnPorts ports;
    private final RunningTurn turn;

    /** A turn that has no place yet. */
    public HeldTurn(ActorSystem<?> system, TurnPorts ports, TurnRequest request) {
        this.ports = ports;
        this.turn = new RunningTurn(system, ports, request);
    }

    /** Decides where the turn goes and books it there, as for a turn that is forwarded; ends it if it goes nowhere. */
    public CompletionStage<Placement> place() {
        long began = System.nanoTime();
        return settled(new Placer(ports, turn, Set.of()).place().thenApply(placed -> {
            ports.meter().resolved(placed.decision(), System.nanoTime() - began);
            return placed;
        }));
    }

    /** Books it on this worker, whatever its session, and ends it if that can't take it. */
    public CompletionStage<Placement> book(WorkerId worker, int rank) {
        var pin = new Pin(turn.request().demand(), worker, rank);
        return settled(turn.request()
                .prompt()
                .read()
                .thenCompose(prompt -> ports.desk()
                        .reserve(pin, Workload.of(prompt), turn.request().ticket())
                        .thenApply(this::booked)));
    }

    private Placement booked(SelectionAnswer answer) {
        return switch (answer) {
            case SelectionAnswer.Selected booked -> {
                var overlap = OptionalLong.of(booked.overlapTokens());
                turn.hold(booked, overlap);
                yield new Placement(booked.worker(), booked.rank(), overlap, Decision.SELECTED, Known.NOTHING);
            }
            case SelectionAnswer.Refused refused -> throw new ApiException(ApiError.namedNotEligible());
            case SelectionAnswer.SentAway(Shed why) -> throw new ApiException(TurnPorts.sentAway(why));
        };
    }

    private CompletionStage<Placement> settled(CompletionStage<Placement> placed) {
        return placed.whenComplete((placement, failure) -> {
            if (failure == null) {
                turn.dispatched();
            } else {
                turn.end();
            }
        });
    }

    public TurnRequest request() {
        return turn.request();
    }

    /** Its prompt's length; an estimate until that is read. */
    public long promptTokens() {
        return turn.request().prompt().tokens();
    }

    /** The first byte of content came: the prompt's prefill is complete. */
    public void prefillComplete() {
        turn.firstContent();
    }

    /** Its answer has so many tokens by now, at least. */
    public void output(long tokens) {
        turn.output(tokens);
    }

    /**
     * The turn is over. Only the first end counts.
     *
     * @param served a worker has answered it
     * @param contextTokens prompt and output tokens; empty for the prompt's
     */
    public void end(boolean served, OptionalLong contextTokens) {
        if (served) {
            turn.served();
        }
        contextTokens.ifPresent(turn::leaves);
        turn.end();
    }

    public boolean over() {
        return turn.over();
    }
}
