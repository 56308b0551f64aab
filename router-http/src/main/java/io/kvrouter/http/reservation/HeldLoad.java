package io.kvrouter.http.reservation;

import io.kvrouter.http.turn.HeldTurn;
import java.util.OptionalLong;

/** What a reservation holds: the load of a request, and its turn of a session. */
interface HeldLoad {
    void prefillComplete();

    /** The request's answer has so many tokens by now, at least. */
    void output(long tokens);

    /** It is over; only the first end counts. */
    void end(boolean served, OptionalLong contextTokens);

    /** What a turn holds. Of one turn all are equal. */
    static HeldLoad of(HeldTurn turn) {
        return new OfTurn(turn);
    }

    /** See {@link #of}. */
    record OfTurn(HeldTurn turn) implements HeldLoad {
        @Override
        public void prefillComplete() {
            turn.prefillComplete();
        }

        @Override
        public void output(long tokens) {
            turn.output(tokens);
        }

        @Override
        public void end(boolean served, OptionalLong contextTokens) {
            turn.end(served, contextTokens);
        }
    }
}
