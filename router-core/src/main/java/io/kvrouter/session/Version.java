package io.kvrouter.session;

/**
 * The rule by which a session's binding gets its versions: milliseconds in the upper 48 bits, the writer in the lower
 * 16. It grows for ever for one session, also over restarts of its actor, crashes and moves of its shard, and two
 * nodes that cut in the same millisecond still make different versions.
 */
public final class Version {
    /** No version is known: smaller than every version that was ever made. */
    public static final long NONE = 0;

    private static final int WRITER_BITS = 16;
    private static final long WRITER_MASK = (1L << WRITER_BITS) - 1;

    private Version() {}

    /**
     * The version after another.
     *
     * @param previous the greatest version known of the session
     * @param nowMs wall clock
     * @param writer the uid of the writing node, of which the lower 16 bits are kept
     */
    public static long after(long previous, long nowMs, long writer) {
        return (Math.max((previous >>> WRITER_BITS) + 1, nowMs) << WRITER_BITS) | (writer & WRITER_MASK);
    }

    /** When the version was made, by its writer's wall clock in ms; later where versions came faster than one a ms. */
    public static long madeAtMs(long version) {
        return version >>> WRITER_BITS;
    }
}
