package io.kvrouter.admission;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait, in the order in which they go on: the lower priority value first, of equals the first that came. Every
 * fourth time it is the one with the oldest deadline instead, so that no stream of urgent requests starves it. Who can't
 * use what is free does not stand in the way of those behind.
 */
final class Line {
    private static final int OLDEST_EVERY = 4;

    private final TreeSet<Ticket> byPriority =
            new TreeSet<>(Comparator.comparingInt(Ticket::priority).thenComparingLong(Ticket::number));
    private final TreeSet<Ticket> byDeadline =
            new TreeSet<>(Comparator.comparingLong(Ticket::deadline).thenComparingLong(Ticket::number));
    private long granted;

    void add(Ticket ticket) {
        byPriority.add(ticket);
        byDeadline.add(ticket);
    }

    void remove(Ticket ticket) {
        byPriority.remove(ticket);
        byDeadline.remove(ticket);
    }

    /** Out of the line, because it goes on. */
    void grant(Ticket ticket) {
        remove(ticket);
        granted++;
    }

    /** The next whose claim passes; it stays in the line. */
    @Nullable
    Ticket next(Predicate<Claim> passes) {
        boolean oldest = granted % OLDEST_EVERY == OLDEST_EVERY - 1;
        for (Ticket ticket : oldest ? byDeadline : byPriority) {
            if (passes.test(ticket.claim())) {
                return ticket;
            }
        }
        return null;
    }

    /** One whose deadline has come. */
    @Nullable
    Ticket overdue(long now) {
        return byDeadline.isEmpty() || byDeadline.first().deadline() > now ? null : byDeadline.first();
    }

    int size() {
        return byPriority.size();
    }

    /** Those whose claim passes. */
    int count(Predicate<Claim> passes) {
        return (int) byPriority.stream()
                .filter(ticket -> passes.test(ticket.claim()))
                .count();
    }

    /** Since when the one has waited that has waited longest; {@code now} if nobody waits. */
    long longest(long now) {
        return byDeadline.stream().mapToLong(Ticket::since).min().orElse(now);
    }
}
