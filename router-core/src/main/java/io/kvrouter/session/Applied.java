package io.kvrouter.session;

/**
 * What a session's actor did with a binding that was made elsewhere.
 *
 * @param now what it knows from now on
 */
public record Applied(How how, Known now) {
    /** What became of it. */
    public enum How {
        /** Nothing was known of the session. */
        TAKEN,
        /** It is what was known, at the same version or a newer one: the session lives on. */
        REFRESHED,
        /** It is newer than what was known. */
        REPLACED,
        /** It is not newer. */
        IGNORED
    }
}
