package io.kvrouter.admission;

import java.util.Comparator;

/**
 * How one caller stands beside the others: what it has inside, what it has had, and what waits, by its share. What waits is
 * the key of an ordered set, so that only the {@link Line} changes it, which takes it out first.
 */
final class Standing {
    /** Divided by any share, a millisecond is still a whole number of these, or nearly. */
    static final long PARTS = 1_000;

    /** The one with the most waiting by its share comes last. */
    static final Comparator<Standing> LEAST_WAITING = Comparator.<Standing>comparingDouble(
                    one -> one.byShare(one.waiting))
            .thenComparingLong(one -> one.number);

    private final String caller;
    private final long number;
    private int share;
    private long newest;
    private int inside;
    private int waiting;
    private long ended;
    private long entered;

    /** @param number by which those that are equal in all else keep an order */
    Standing(CallerShare of, long number) {
        this.caller = of.caller();
        this.share = of.share();
        this.number = number;
    }

    private double byShare(int requests) {
        return (double) requests / share;
    }

    String caller() {
        return caller;
    }

    /** Whether a newer request of it has another share than it had: its key was changed. */
    boolean outdated(Ticket ticket) {
        return ticket.number() > newest && ticket.caller().share() != share;
    }

    void share(Ticket ticket) {
        newest = ticket.number();
        share = ticket.caller().share();
    }

    int waiting() {
        return waiting;
    }

    /** Whether it has fewer waiting than the other, by their shares. */
    boolean waitsLess(Standing other) {
        return byShare(waiting) < other.byShare(other.waiting);
    }

    /**
     * One more waits. Who wanted nothing so far is owed nothing for that time.
     *
     * @param most that another caller has had by now
     */
    void waits(long most, long now) {
        if (idle()) {
            hasHad(most, now);
        }
        waiting++;
    }

    /** No less than this by now. */
    private void hasHad(long least, long now) {
        ended += Math.max(0, least - had(now));
    }

    void waitsNoMore() {
        waiting--;
    }

    /**
     * One more is inside.
     *
     * @param least that it counts as having had, however little it was
     */
    void enters(long least, long now) {
        hasHad(least, now);
        inside++;
        entered += now;
    }

    /** One is inside no more that came in then. */
    void leaves(long since, long now) {
        inside--;
        entered -= since;
        ended += Math.max(1, now - since) * PARTS / share;
    }

    /** For how long its requests have been inside, by its share. */
    long had(long now) {
        return ended + (inside * now - entered) * PARTS / share;
    }

    /** What it would have inside with one more, by its share. */
    double withOneMore() {
        return byShare(inside + 1);
    }

    /**
     * Who goes first: one that has less inside by its share than anybody would have with one more, of several the one that
     * has had least; else the one with the least inside by its share.
     *
     * @param leastWithOneMore of all who wait, by their shares
     */
    static Comparator<Standing> first(double leastWithOneMore, long now) {
        return Comparator.<Standing>comparingDouble(one -> one.beyond(leastWithOneMore))
                .thenComparingLong(one -> one.had(now))
                .thenComparingLong(one -> one.number);
    }

    /** What it has inside by its share, if that is no less. */
    private double beyond(double leastWithOneMore) {
        double own = byShare(inside);
        return own < leastWithOneMore ? 0 : own;
    }

    /** Whether there is nothing to remember of it. */
    boolean idle() {
        return inside == 0 && waiting == 0;
    }
}
