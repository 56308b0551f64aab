package io.kvrouter.session;

/** What a session's actor says to a turn. */
public sealed interface Answer {
    /** The greatest version that the actor knows. */
    long version();

    /**
     * The session lives there.
     *
     * @param contextTokens tokens of the session's last ended turn; 0 when the actor does not know
     */
    record Bound(Binding binding, long contextTokens, How how) implements Answer {
        @Override
        public long version() {
            return binding.version();
        }
    }

    /** The session lives nowhere. */
    record Unbound(long version) implements Answer {}

    /** How the binding came about. */
    enum How {
        /** It was there before this turn. */
        FOLLOWED,
        /** This turn made it, and the session had none. */
        CREATED,
        /** This turn made it in place of another. */
        REBOUND
    }
}
