package io.kvrouter.http.turn;

import io.kvrouter.admission.Shed;
import io.kvrouter.booking.Pin;
import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.SessionMode;
import io.kvrouter.booking.Workload;
import io.kvrouter.cluster.session.Sessions.Asked;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.turn.request.TurnRequest.Affinity;
import io.kvrouter.kv.Prompt;
import io.kvrouter.selection.Refusal;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Decides where one turn goes, and books it there (steps 1 to 5 of the life of a turn). The ingress proposes, the
 * session's actor decides. Its steps follow one another, so its fields need no lock.
 */
final class Placer {
    private final TurnPorts ports;
    private final RunningTurn turn;
    private final AskBudget budget;
    private final Set<WorkerId> tried; // late answers read it
    private boolean firstTurn;

    /** @param tried workers that the turn should not go to */
    Placer(TurnPorts ports, RunningTurn turn, Set<WorkerId> tried) {
        this.ports = ports;
        this.turn = turn;
        this.budget = new AskBudget(ports.limits().decisionBudget());
        this.tried = ConcurrentHashMap.newKeySet();
        this.tried.addAll(tried);
    }

    /** Step 1: what this node knows of the session, if the turn has one. */
    CompletionStage<Placement> place() {
        var session = turn.request().session();
        if (session.isEmpty()) {
            return select(Decision.SELECTED, Known.NOTHING);
        }
        SessionKey key = session.get().key();
        Optional<Binding> bound = ports.sessions().usable(key);
        Optional<Binding> eligible = bound.filter(this::eligible);
        if (turn.request().override().isPresent() && eligible.isEmpty()) {
            return select(Decision.SELECTED, Known.NOTHING); // bypasses the session
        }
        return eligible.map(binding -> follow(session.get(), binding))
                .orElseGet(() -> firstOrRebind(session.get(), seen(key, bound)));
    }

    /** The binding that the turn wants replaced: one whose worker is not eligible, or that was removed. */
    private Known seen(SessionKey key, Optional<Binding> bound) {
        return bound.map(Binding::known)
                .orElseGet(() -> ports.sessions()
                        .row(key)
                        .filter(BindingRow::removed)
                        .map(BindingRow::known)
                        .orElse(Known.NOTHING));
    }

    /** A turn that was sent somewhere while the actor was not heard is followed by the next one of its session. */
    private CompletionStage<Placement> firstOrRebind(Affinity session, Known seen) {
        Optional<Proposal> provisional =
                ports.sessions().provisional(session.key()).filter(proposal -> eligible(proposal.worker()));
        return provisional.isEmpty()
                ? selectAndBind(session, seen)
                : reserve(provisional.get().worker(), provisional.get().rank(), Decision.UNBOUND, seen)
                        .thenCompose(booked ->
                                booked.isPresent() ? bind(booked.get(), session, seen) : selectAndBind(session, seen));
    }

    /**
     * The worker could not be reached: the next one takes the turn, and its session with it. On a detour it was not
     * the session's worker that failed, so that the session stays where it is.
     */
    CompletionStage<Placement> replace(Placement failed) {
        tried.add(failed.worker());
        if (failed.decision() == Decision.DETOURED) {
            return select(Decision.DETOURED, failed.binding());
        }
        return turn.request()
                .session()
                .map(session -> selectAndBind(session, failed.binding()))
                .orElseGet(() -> select(Decision.SELECTED, Known.NOTHING));
    }

    /** The worker pushed back: the next one takes the turn; its session stays where it is. */
    CompletionStage<Placement> detour(Placement busy) {
        if (busy.madeBinding()) {
            return replace(busy);
        }
        tried.add(busy.worker());
        var decision = turn.request().session().isPresent() ? Decision.DETOURED : Decision.SELECTED;
        return select(decision, busy.binding());
    }

    /** Nothing is tokenized or scored for a turn whose worker is known and eligible. */
    private CompletionStage<Placement> follow(Affinity session, Binding binding) {
        return reserve(binding, Decision.PINNED)
                .thenCompose(booked -> booked.isPresent()
                        ? ask(
                                booked.get(),
                                session,
                                () -> ports.sessions().follow(session.key(), session.turn(), binding.known()))
                        : selectAndBind(session, binding.known()));
    }

    /** Step 2: by cost, in place of the binding that was seen, if any. */
    private CompletionStage<Placement> selectAndBind(Affinity session, Known seen) {
        return select(Decision.UNBOUND, seen).thenCompose(candidate -> bind(candidate, session, seen));
    }

    private CompletionStage<Placement> bind(Placement candidate, Affinity session, Known seen) {
        var proposal = new Proposal(seen.version(), candidate.worker(), candidate.rank(), seen);
        return ask(candidate, session, () -> ports.sessions().bind(session.key(), session.turn(), proposal));
    }

    /** Step 5: the answer is waited for within the turn's budget, and counts when it comes late. */
    private CompletionStage<Placement> ask(Placement proposed, Affinity session, Supplier<Asked> question) {
        if (!turn.announce()) {
            return CompletableFuture.completedStage(proposed);
        }
        Asked asked = question.get();
        return budget.await(asked)
                .thenCompose(answer -> answer.isPresent()
                        ? heard(proposed, session, answer.get())
                        : unheard(proposed, session, asked));
    }

    private CompletionStage<Placement> unheard(Placement proposed, Affinity session, Asked asked) {
        turn.bound(proposed.decision() == Decision.PINNED ? proposed.binding() : Known.NOTHING);
        asked.answer().thenAccept(answer -> late(session, answer));
        return CompletableFuture.completedStage(proposed);
    }

    /** A binding that this turn made late, for a worker that had not taken it, follows the turn. Nobody waits for it. */
    private void late(Affinity session, Answer answer) {
        Optional<Proposal> follows = answer instanceof Answer.Bound(var at, var tokens, var how)
                        && how != Answer.How.FOLLOWED
                        && tried.contains(at.worker())
                ? turn.insteadOf(at.known())
                : Optional.empty();
        follows.ifPresentOrElse(
                proposal -> ports.sessions()
                        .bind(session.key(), session.turn(), proposal)
                        .answer()
                        .thenAccept(turn::late),
                () -> turn.late(answer));
    }

    /** Step 4: the actor's answer holds, but for a worker that is not eligible here. */
    private CompletionStage<Placement> heard(Placement proposed, Affinity session, Answer answer) {
        return switch (answer) {
            case Answer.Bound bound when proposed.at(bound) -> agreed(proposed, bound);
            case Answer.Bound bound when eligible(bound.binding()) -> move(proposed, session, bound);
            case Answer.Bound bound -> again(proposed, session, bound.binding().known());
            case Answer.Unbound unbound -> again(proposed, session, Known.removed(unbound.version()));
        };
    }

    private CompletionStage<Placement> move(Placement proposed, Affinity session, Answer.Bound bound) {
        Binding binding = bound.binding();
        return reserve(binding, Decision.PINNED)
                .thenCompose(booked ->
                        booked.isPresent() ? agreed(booked.get(), bound) : again(proposed, session, binding.known()));
    }

    private CompletionStage<Placement> again(Placement proposed, Affinity session, Known seen) {
        if (turn.request().override().isPresent()) { // the session has left the named worker: no turn of it any more
            return stay(proposed.decided(Decision.SELECTED, Known.NOTHING));
        }
        if (budget.spent()) {
            return stay(proposed.decided(seen.worker() == null ? Decision.UNBOUND : Decision.DETOURED, seen));
        }
        return selectAndBind(session, seen);
    }

    /** Where it was proposed; if that was given up for a worker that did not take it, wherever there is room now. */
    private CompletionStage<Placement> stay(Placement proposed) {
        return turn.holds()
                ? settled(proposed)
                : select(proposed.decision(), proposed.binding()).thenCompose(this::settled);
    }

    private CompletionStage<Placement> agreed(Placement placement, Answer.Bound bound) {
        firstTurn |= bound.how() == Answer.How.CREATED;
        Placement agreed = placement.bound(bound);
        if (firstTurn) { // also where it binds its session anew, because its first worker did not take it
            agreed = agreed.decided(Decision.SELECTED, agreed.binding());
        }
        if (agreed.decision() == Decision.PINNED) {
            long context =
                    Math.min(bound.contextTokens(), turn.request().prompt().tokens());
            agreed = agreed.cached(context);
            turn.context(context);
        }
        return settled(agreed);
    }

    private CompletionStage<Placement> settled(Placement placement) {
        turn.bound(placement.binding());
        return CompletableFuture.completedStage(placement);
    }

    /** Eligible for this turn: as the fleet is now, and not a worker that it tried in vain. */
    private boolean eligible(WorkerId worker) {
        return !tried.contains(worker)
                && turn.request().override().map(worker::equals).orElse(true)
                && ports.fleet().get().eligible(turn.request().demand(), worker).isPresent();
    }

    private boolean eligible(Binding binding) {
        return eligible(binding.worker());
    }

    private CompletionStage<Optional<Placement>> reserve(Binding binding, Decision decision) {
        return reserve(binding.worker(), binding.rank(), decision, binding.known());
    }

    /** Books a known worker, fails if its session has to wait for it; empty if the load actor's fleet has lost it meanwhile. */
    private CompletionStage<Optional<Placement>> reserve(WorkerId worker, int rank, Decision decision, Known binding) {
        var request = turn.request();
        Optional<Prompt> known = request.prompt().known();
        // Until its actor tells what its session had, a follow-up counts as cached but for a little.
        Workload workload = known.map(Workload::of)
                .orElseGet(() -> new Workload.Estimated(request.prompt().tokens(), 0));
        turn.release();
        return ports.desk()
                .reserve(new Pin(request.demand(), worker, rank, mode(decision)), workload, request.ticket())
                .thenApply(answer -> switch (answer) {
                    case SelectionAnswer.Selected booked ->
                        Optional.of(
                                known.isPresent()
                                        ? booked(booked, decision, binding)
                                        : estimated(booked, decision, binding));
                    case SelectionAnswer.Refused(Refusal why)
                    when why == Refusal.BOUND_BUSY -> throw new ApiException(ApiError.sessionWorkerBusy());
                    case SelectionAnswer.Refused refused -> Optional.empty();
                    case SelectionAnswer.SentAway(Shed why) -> throw new ApiException(TurnPorts.sentAway(why));
                });
    }

    /** A named worker takes its turn busy or not, and one where the session only may be is none that it must wait for. */
    private SessionMode mode(Decision decision) {
        boolean waits = decision == Decision.PINNED
                && turn.request().hard()
                && turn.request().override().isEmpty();
        return waits ? SessionMode.HARD : SessionMode.SOFT;
    }

    private Placement estimated(SelectionAnswer.Selected booked, Decision decision, Known binding) {
        turn.hold(booked, OptionalLong.empty());
        return new Placement(booked.worker(), booked.rank(), OptionalLong.empty(), decision, binding);
    }

    /** Books the cheapest worker that was not tried yet, or fails with the error to answer. */
    private CompletionStage<Placement> select(Decision decision, Known binding) {
        var request = turn.request();
        turn.release();
        return request.prompt()
                .read()
                .thenCompose(prompt -> ports.desk().select(selection(prompt), request.ticket()))
                .thenApply(answer -> switch (answer) {
                    case SelectionAnswer.Selected booked -> booked(booked, decision, binding);
                    case SelectionAnswer.Refused refused ->
                        throw new ApiException(ports.refusal(request.demand(), refused.why()));
                    case SelectionAnswer.SentAway(Shed why) -> throw new ApiException(TurnPorts.sentAway(why));
                });
    }

    private SelectionRequest selection(Prompt prompt) {
        var request = turn.request();
        var session = request.session().map(Affinity::key);
        return new SelectionRequest(request.demand(), tried, prompt, session, request.factors(), request.override());
    }

    private Placement booked(SelectionAnswer.Selected booked, Decision decision, Known binding) {
        var overlap = OptionalLong.of(booked.overlapTokens());
        turn.hold(booked, overlap);
        return new Placement(booked.worker(), booked.rank(), overlap, decision, binding);
    }
}
