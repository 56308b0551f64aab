package io.kvrouter.access.share;

/**
 * What one node tells of a caller's tokens. The total only grows, so that whoever hears a later one has missed nothing;
 * who has not heard of it before takes the last minute.
 *
 * @param since when the node began to count, in ms of its clock: another total, if that is later
 * @param total tokens since then
 * @param lastMinute of them in the last minute
 */
public record Spent(long since, long total, long lastMinute) {
    public Spent {
        if (since < 0 || lastMinute < 0 || total < lastMinute) {
            throw new IllegalArgumentException("spent: since " + since + ", " + total + ", in the last minute "
                    + lastMinute + " (expected: >= 0, and no more in the last minute)");
        }
    }
}
