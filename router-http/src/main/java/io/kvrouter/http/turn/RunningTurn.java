package io.kvrouter.http.turn;

import io.kvrouter.booking.SelectionAnswer;
import io.kvrouter.booking.Workload;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.http.failover.Outcomes;
import io.kvrouter.http.openai.Usage;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.http.turn.request.TurnRequest.Affinity;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.kv.Prompt;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.session.ingress.HeldBinding;
import io.kvrouter.worker.WorkerId;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * What a turn holds while it runs: its reservation, its call to a worker, its session's heartbeat. Whatever ends the
 * turn ends all of them here, exactly once; what arrives after the end is given back at once. The turn is over when its
 * worker has no more to do with it, however long its client reads on; only its tokens are told at the end of what the
 * client takes. Safe for use by several threads: answers, the worker's bytes and the client come on threads of their own.
 */
final class RunningTurn {
    private final LoadDesk desk;
    private final Sessions sessions;
    private final TurnTokens tokens;
    private final TurnPorts.Workers workers;
    private final TurnRequest request;
    private final boolean countsOutput;
    private final Heartbeat heartbeat;

    private SelectionAnswer.@Nullable Selected booked;
    private OptionalLong predicted = OptionalLong.empty();
    private long contextTokens;
    private @Nullable Call call;
    private long sent;
    private final HeldBinding binding = new HeldBinding();
    private boolean announced;
    private boolean served;
    private OptionalLong leftTokens = OptionalLong.empty();
    private boolean ended;

    RunningTurn(ActorSystem<?> system, TurnPorts ports, TurnRequest request) {
        this.heartbeat = new Heartbeat(system);
        this.desk = ports.desk();
        this.sessions = ports.sessions();
        this.tokens = new TurnTokens(ports.meter(), request.prompt());
        this.workers = ports.fleet();
        this.request = request;
        this.countsOutput = ports.limits().countOutput();
    }

    TurnRequest request() {
        return request;
    }

    /**
     * The turn books there from now on, and nowhere else.
     *
     * @param overlap prompt tokens that the worker should have cached; empty if the booking is an estimate
     */
    synchronized void hold(SelectionAnswer.Selected made, OptionalLong overlap) {
        if (ended) {
            desk.end(made.reservation());
            return;
        }
        release();
        booked = made;
        predicted = overlap;
        contextTokens = 0;
    }

    /** The turn looks for another place: what waits holds none. */
    synchronized void release() {
        if (booked != null) {
            desk.end(booked.reservation());
            booked = null;
        }
    }

    /** Whether it is booked anywhere. */
    synchronized boolean holds() {
        return booked != null;
    }

    /** The worker in use has so much of the prompt cached: it served the session's last turn. */
    synchronized void context(long cached) {
        contextTokens = cached;
        if (booked == null) {
            return;
        }
        if (predicted.isPresent()) {
            request.prompt().known().ifPresent(this::correct);
        } else {
            long fresh = request.prompt().tokens() - cached;
            desk.estimate(booked.reservation(), new Workload.Estimated(cached, fresh));
        }
    }

    /** The turn is on its way. If its prompt was not read so far, that is done now. */
    void dispatched() {
        if (request.prompt().known().isEmpty()) {
            request.prompt().read().thenAccept(this::readBeside);
        }
    }

    private synchronized void readBeside(Prompt prompt) {
        if (!ended && booked != null && predicted.isEmpty()) {
            SelectionAnswer.Selected of = booked;
            correct(prompt).thenAccept(overlap -> predict(of, overlap));
        }
    }

    private synchronized void predict(SelectionAnswer.Selected of, OptionalLong overlap) {
        if (of.equals(booked)) {
            predicted = overlap;
        }
    }

    private CompletionStage<OptionalLong> correct(Prompt prompt) {
        return desk.correct(Objects.requireNonNull(booked).reservation(), prompt, contextTokens);
    }

    /** The engine tells of its tokens. */
    synchronized void used(Usage usage) {
        tokens.used(usage, predicted);
    }

    /** Where the turn is booked; empty before that. */
    synchronized Optional<WorkerId> worker() {
        return Optional.ofNullable(booked).map(SelectionAnswer.Selected::worker);
    }

    /** The session's actor is about to hear of this turn, so it must hear of its end. */
    synchronized boolean announce() {
        announced |= !ended;
        return !ended;
    }

    /** The call to the worker; false, and the call aborted, if the turn has ended. */
    synchronized boolean calling(Call started) {
        if (ended) {
            started.abort();
        } else {
            call = started;
            sent = System.nanoTime();
        }
        return !ended;
    }

    /** The session's binding, once it is decided: kept alive while the turn runs. */
    synchronized void bound(Known known) {
        binding.decided(known);
        heartbeat.stop();
        if (!ended && known.worker() != null) {
            request.session()
                    .ifPresent(session -> heartbeat.start(session.turn().ttlMs(), () -> beat(session)));
        }
    }

    /** An answer that the decision did not wait for: it counts if it names the worker in use. */
    synchronized void late(Answer answer) {
        if (answer instanceof Answer.Bound bound
                && booked != null
                && bound.binding().worker().equals(booked.worker())
                && bound.binding().rank() == booked.rank()) {
            bound(bound.binding().known());
        }
    }

    private synchronized void beat(Affinity session) {
        Known told = tell(session);
        if (binding.overtaken()) {
            heartbeat.stop();
        } else if (!ended) {
            sessions.keep(session.key(), session.turn(), told);
        }
    }

    private Known tell(Affinity session) {
        return binding.tell(sessions.row(session.key()));
    }

    /** The session at the worker in use, in place of a binding that this turn had to leave; empty if it is over. */
    synchronized Optional<Proposal> insteadOf(Known left) {
        return Optional.ofNullable(booked)
                .filter(at -> !ended && !at.worker().equals(left.worker()))
                .map(at -> new Proposal(left.version(), at.worker(), at.rank(), left));
    }

    /** A worker has accepted the turn: an answer's head came, and it is no error. */
    synchronized void served() {
        served = true;
    }

    /** The worker's answer ends before its end. */
    synchronized void brokeOff(Throwable cause) {
        if (!ended && booked != null && cause instanceof UpstreamException why) {
            workers.report(booked.worker(), Outcomes.of(why.failure(), served), sent);
        }
        workerDone();
    }

    /** The first byte of content came: the prompt's prefill is complete. */
    synchronized void firstContent() {
        tokens.begin(served);
        request.prompt().settle();
        if (!ended && booked != null) {
            desk.prefillComplete(booked.reservation());
        }
    }

    /** Whether {@link #counted} wants to be told. */
    boolean countsOutput() {
        return countsOutput || tokens.wanted();
    }

    /** Whether {@link #output} does too. */
    boolean booksOutput() {
        return countsOutput;
    }

    /** The answer has so many events by now, each a token. */
    synchronized void counted(long events) {
        tokens.output(events);
    }

    /** The answer has so many tokens by now. */
    synchronized void output(long many) {
        if (!ended && booked != null) {
            desk.output(booked.reservation(), many);
        }
    }

    /** What the session's next turn starts from, by the word of who served the turn. */
    synchronized void leaves(long context) {
        leftTokens = OptionalLong.of(context);
    }

    /** The client has gone: nobody will repeat a last turn, even one that its session's actor has not heard of. */
    synchronized void abandon() {
        tokens.begin(ended ? served : call != null); // what a worker was made to do counts
        if (!ended && !announced) {
            request.session().filter(Affinity::last).ifPresent(this::announceLast);
        }
        end();
    }

    private void announceLast(Affinity session) {
        sessions.usable(session.key()).ifPresent(known -> {
            binding.decided(known.known());
            announced = true;
        });
    }

    /** The turn is over, however it went, and its client reads no more. A call that still runs is aborted. */
    synchronized void end() {
        workerDone();
        tokens.end();
    }

    /** The worker has no more to do for the turn: whatever the client still reads, it loads nobody. */
    synchronized void workerDone() {
        if (ended) {
            return;
        }
        ended = true;
        heartbeat.stop();
        if (call != null) {
            call.abort();
        }
        if (booked != null) {
            desk.end(booked.reservation());
        }
        desk.leave(request.ticket());
        request.session().filter(s -> announced).ifPresent(s -> sessions.end(s.key(), ended(s)));
    }

    private TurnEnd ended(Affinity session) {
        long context = served ? leftTokens.orElse(request.prompt().tokens()) : 0;
        return new TurnEnd(session.turn(), tell(session), served, context, session.last());
    }

    synchronized boolean over() {
        return ended;
    }
}
