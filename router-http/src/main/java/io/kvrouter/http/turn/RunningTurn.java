package io.kvrouter.http.turn;

import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.http.turn.TurnRequest.Affinity;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.load.ReservationId;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Known;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * What a turn holds while it runs: its reservation, its call to a worker, its session's heartbeat. Whatever ends the
 * turn ends all of them here, exactly once; what arrives after the end is given back at once. Safe for use by several
 * threads: answers, the worker's bytes and the client's leaving come on threads of their own.
 */
final class RunningTurn {
    private static final int HEARTBEATS_PER_TTL = 4;

    private final ActorSystem<?> system;
    private final LoadDesk desk;
    private final Sessions sessions;
    private final TurnRequest request;

    private @Nullable ReservationId reservation;
    private @Nullable Call call;
    private @Nullable WorkerId worker;
    private int rank;
    private Known binding = Known.NOTHING;
    private boolean announced;
    private Cancellable heartbeat = Cancellable.alreadyCancelled();
    private boolean served;
    private boolean ended;

    RunningTurn(ActorSystem<?> system, LoadDesk desk, Sessions sessions, TurnRequest request) {
        this.system = system;
        this.desk = desk;
        this.sessions = sessions;
        this.request = request;
    }

    TurnRequest request() {
        return request;
    }

    /** The turn books there from now on, and nowhere else. */
    synchronized void hold(ReservationId made, WorkerId at, int atRank) {
        if (ended) {
            desk.end(made);
            return;
        }
        ReservationId before = reservation;
        reservation = made;
        worker = at;
        rank = atRank;
        if (before != null) {
            desk.end(before);
        }
    }

    /** The worker in use has more of the prompt cached than was booked: it served the session's last turn. */
    synchronized void cached(long tokens) {
        if (reservation != null) {
            desk.correct(reservation, request.prompt(), tokens);
        }
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
        }
        return !ended;
    }

    /** The session's binding, once it is decided: kept alive while the turn runs. */
    synchronized void bound(Known known) {
        binding = known;
        heartbeat.cancel();
        if (!ended && known.worker() != null) {
            request.session().ifPresent(this::keepAlive);
        }
    }

    /** An answer that the decision did not wait for: it counts if it names the worker in use. */
    synchronized void late(Answer answer) {
        if (answer instanceof Answer.Bound bound
                && bound.binding().worker().equals(worker)
                && bound.binding().rank() == rank) {
            bound(bound.binding().known());
        }
    }

    private void keepAlive(Affinity session) {
        Duration interval = Duration.ofMillis(Math.max(1, session.turn().ttlMs() / HEARTBEATS_PER_TTL));
        heartbeat = system.scheduler()
                .scheduleWithFixedDelay(interval, interval, () -> beat(session), system.executionContext());
    }

    private synchronized void beat(Affinity session) {
        long known = binding.version();
        boolean newer =
                sessions.row(session.key()).filter(row -> row.version() > known).isPresent();
        if (newer) {
            heartbeat.cancel();
        } else if (!ended) {
            sessions.keep(session.key(), session.turn(), binding);
        }
    }

    /** A worker has accepted the turn: an answer's head came, and it is no error. */
    synchronized void served() {
        served = true;
    }

    /** The first byte of content came: the prompt's prefill is complete. */
    synchronized void firstContent() {
        if (reservation != null) {
            desk.prefillComplete(reservation);
        }
    }

    /** The turn is over, however it went. A call that still runs is aborted. */
    synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        heartbeat.cancel();
        if (call != null) {
            call.abort();
        }
        if (reservation != null) {
            desk.end(reservation);
        }
        request.session().filter(s -> announced).ifPresent(s -> sessions.end(s.key(), ended(s)));
    }

    private TurnEnd ended(Affinity session) {
        long context = served ? request.prompt().tokens() : 0;
        return new TurnEnd(session.turn(), binding, served, context, session.last());
    }

    synchronized boolean over() {
        return ended;
    }
}
