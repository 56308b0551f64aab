package io.kvrouter.session.world;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import io.kvrouter.session.SessionState.Sight;
import io.kvrouter.session.SessionState.Step;
import io.kvrouter.session.Turn;
import io.kvrouter.session.TurnEnd;
import java.util.Optional;

/** What a session's actor is sent. */
sealed interface Request {
    SessionKey key();

    Step to(SessionState state, Sight sight);

    /** What its sender knew of the binding. */
    Known known();

    /** The turn that sent it; none for the operator's. */
    Optional<Turn> from();

    /** Takes the answer, from the node that hosts the actor. */
    @FunctionalInterface
    interface Reply {
        void to(Node host, Answer answer);
    }

    record Follow(SessionKey key, Turn turn, Known known, Reply reply) implements Request {
        @Override
        public Optional<Turn> from() {
            return Optional.of(turn);
        }

        @Override
        public Step to(SessionState state, Sight sight) {
            return state.follow(key, turn, known, sight);
        }
    }

    record Bind(SessionKey key, Turn turn, Proposal proposal, Reply reply) implements Request {
        @Override
        public Optional<Turn> from() {
            return Optional.of(turn);
        }

        @Override
        public Step to(SessionState state, Sight sight) {
            return state.bind(key, turn, proposal, sight);
        }

        @Override
        public Known known() {
            return proposal.known();
        }
    }

    record Keep(SessionKey key, Turn turn, Known known) implements Request {
        @Override
        public Optional<Turn> from() {
            return Optional.of(turn);
        }

        @Override
        public Step to(SessionState state, Sight sight) {
            return state.keep(key, turn, known, sight);
        }
    }

    record End(SessionKey key, TurnEnd end) implements Request {
        @Override
        public Optional<Turn> from() {
            return Optional.of(end.turn());
        }

        @Override
        public Step to(SessionState state, Sight sight) {
            return state.end(key, end, sight);
        }

        @Override
        public Known known() {
            return end.known();
        }
    }

    record Unbind(SessionKey key) implements Request {
        @Override
        public Optional<Turn> from() {
            return Optional.empty();
        }

        @Override
        public Step to(SessionState state, Sight sight) {
            return state.unbind(key, sight);
        }

        @Override
        public Known known() {
            return Known.NOTHING;
        }
    }
}
