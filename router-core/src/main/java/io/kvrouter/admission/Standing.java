package io.kvrouter.admission;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * How one caller stands beside the others: what it has inside and what waits, by its share. It is a key of ordered sets,
 * so that only the {@link Line} changes it, which takes it out of them first.
 */
final class Standing {
    private static final long ROUND = 1L << 20;

    /**
     * Who goes first: the one with the least inside by its share. Of equals the one that was given least by its share, or
     * else a node with one permit, where nobody has any inside at that moment, would serve by arrival.
     */
    static final Comparator<Standing> LEAST_INSIDE = Comparator.<Standing>comparingDouble(
                    one -> one.byShare(one.inside))
            .thenComparingLong(one -> one.round)
            .thenComparingLong(one -> one.number);

    /** The one with the most waiting by its share comes last. */
    static final Comparator<Standing> LEAST_WAITING = Comparator.<Standing>comparingDouble(
                    one -> one.byShare(one.waiting))
            .thenComparingLong(one -> one.number);

    private final String caller;
    private final long number;
    private final Set<Level> levels = new HashSet<>();
    private int share;
    private long newest;
    private int inside;
    private int waiting;
    private long round;

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

    /** Where it waits. */
    Set<Level> levels() {
        return levels;
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

    /** One more waits. Who has not waited so far is owed nothing for that time. */
    void waits(long now) {
        if (waiting++ == 0) {
            round = Math.max(round, now);
        }
    }

    void waitsNoMore() {
        waiting--;
    }

    /**
     * One more is inside, which a caller of a larger share may say more often in the same round.
     *
     * @param now the round of the one before, whoever that was
     * @return the round of this one
     */
    long enters(long now) {
        inside++;
        long entered = Math.max(round, now);
        round = entered + ROUND / share;
        return entered;
    }

    void leaves() {
        inside--;
    }

    /** Whether there is nothing to remember of it. */
    boolean idle() {
        return inside == 0 && waiting == 0;
    }
}
