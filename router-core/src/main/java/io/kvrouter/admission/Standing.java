package io.kvrouter.admission;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * How one caller stands beside the others: what it has inside, what it has had, and what waits, by its share. It is a key
 * of ordered sets, so that only the {@link Line} changes it, which takes it out of them first.
 */
final class Standing {
    /** Divided by any share, a millisecond is still a whole number of these, or nearly. */
    private static final long PARTS = 1_000;

    /** Who goes first of those that have room in their shares. */
    static final Comparator<Standing> LEAST_HAD =
            Comparator.<Standing>comparingLong(one -> one.had).thenComparingLong(one -> one.number);

    /** Who goes first of the others. */
    static final Comparator<Standing> LEAST_INSIDE =
            Comparator.<Standing>comparingDouble(one -> one.byShare(one.inside)).thenComparing(LEAST_HAD);

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
    private long had;

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

    /**
     * One more waits. Who has not waited so far is owed nothing for that time.
     *
     * @param most that a caller had had when it went in
     */
    void waits(long most) {
        if (waiting++ == 0) {
            had = Math.max(had, most);
        }
    }

    void waitsNoMore() {
        waiting--;
    }

    void enters() {
        inside++;
    }

    /** One that was inside for so long is so no more. */
    void leaves(long ms) {
        inside--;
        had += Math.max(1, ms) * PARTS / share;
    }

    /** What its requests that are over were inside for, by its share. */
    long had() {
        return had;
    }

    int inside() {
        return inside;
    }

    int share() {
        return share;
    }

    /** Whether another one inside would begin within its share, where each share has so many places. */
    boolean hasRoom(double placesOfAShare) {
        return byShare(inside) < placesOfAShare;
    }

    /** Whether there is nothing to remember of it. */
    boolean idle() {
        return inside == 0 && waiting == 0;
    }
}
