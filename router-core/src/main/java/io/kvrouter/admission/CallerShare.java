package io.kvrouter.admission;

/**
 * Whose request it is, and how much of a contended node that caller may have beside the others: of two who want more than
 * there is, one of share 3 has three times as many requests inside as one of share 1, in time.
 *
 * @param caller its name; empty where nobody has one, so that all are one caller
 * @param share its weight, 1 to {@link #MOST}
 */
public record CallerShare(String caller, int share) {
    /** What a caller has of which nothing is said. */
    public static final int DEFAULT = 1;

    /** Beyond, {@link Standing} could not tell weights apart. */
    public static final int MOST = 1_000;

    /** Of a request without a caller's name. */
    public static final CallerShare NAMELESS = new CallerShare("", DEFAULT);

    public CallerShare {
        require(share);
    }

    /** Throws {@link IllegalArgumentException} for a weight that there is not. */
    public static void require(int share) {
        if (share < 1 || share > MOST) {
            throw new IllegalArgumentException("share: " + share + " (expected: 1 to " + MOST + ")");
        }
    }
}
