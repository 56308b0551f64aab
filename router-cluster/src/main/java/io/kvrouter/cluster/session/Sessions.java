package io.kvrouter.cluster.session;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnEnd;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The sessions of the whole cluster, as a node's ingress asks them. Any thread may call; nothing blocks. */
public interface Sessions {
    /** The session's row in this node's replica, of a removed or expired session too: its version counts. */
    Optional<BindingRow> row(SessionKey key);

    /** The session's binding, where this node's replica has a usable row. */
    Optional<Binding> usable(SessionKey key);

    /**
     * Where this node sent the session while its actor was not heard. Forgotten as soon as the actor is heard, and
     * never of more weight than a usable row with an eligible worker.
     */
    Optional<Proposal> provisional(SessionKey key);

    Asked follow(SessionKey key, Turn turn, Known known);

    Asked bind(SessionKey key, Turn turn, Proposal proposal);

    void keep(SessionKey key, Turn turn, Known known);

    /** Tells the end of a turn: after the answer to what the turn asked, should that still be under way. */
    void end(SessionKey key, TurnEnd end);

    /** Ends the session, as the operator wants. Fails with a time-out if its actor is not heard for 30 s. */
    CompletionStage<Answer> unbind(SessionKey key);

    SessionCounts counts();

    /**
     * A question under way to a session's actor. It is sent again while no answer comes: what goes to a node whose death
     * is not known yet, or to a shard that is being handed over, is lost. The actor takes a repetition as no news.
     */
    interface Asked {
        /** The answer, however late: up to 30 s, then it fails with a time-out. */
        CompletionStage<Answer> answer();

        /**
         * The answer if it comes in time; empty when the budget is spent, and at once when the shard is silent. Never
         * fails. What was proposed is then remembered as provisional.
         */
        CompletionStage<Optional<Answer>> within(Duration budget);
    }

    /**
     * What this node has counted since it started.
     *
     * @param asks questions sent to session actors
     * @param answers answers heard, late ones included
     * @param timeouts decisions that waited for the whole budget in vain
     * @param unawaited decisions that did not wait, because the shard was silent
     * @param late answers that came after their decision
     * @param provisional times that a proposal was remembered as provisional
     * @param repeated questions sent once more, because no answer had come
     */
    record SessionCounts(
            long asks, long answers, long timeouts, long unawaited, long late, long provisional, long repeated) {}
}
