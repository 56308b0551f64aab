package io.kvrouter.admission;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One caller's waiting requests in their order. Those at the door are alike: if the first of them can't go in, no other
 * can, and nobody looks through them. Those that wait for a worker each wait for another one.
 */
final class Waiting {
    private final Comparator<Ticket> order;
    private final NavigableSet<Ticket> atDoor;
    private final NavigableSet<Ticket> forWorker;

    Waiting(Comparator<Ticket> order) {
        this.order = order;
        this.atDoor = new TreeSet<>(order);
        this.forWorker = new TreeSet<>(order);
    }

    private NavigableSet<Ticket> where(Ticket ticket) {
        return ticket.claim().atDoor() ? atDoor : forWorker;
    }

    void add(Ticket ticket) {
        where(ticket).add(ticket);
    }

    /** Whether it was the last one. */
    boolean remove(Ticket ticket) {
        where(ticket).remove(ticket);
        return atDoor.isEmpty() && forWorker.isEmpty();
    }

    /** The first whose claim passes; of those at the door only one is asked. */
    @Nullable
    Ticket next(Predicate<Claim> passes) {
        Ticket door = atDoor.isEmpty() ? null : atDoor.first();
        for (Ticket ticket : forWorker) {
            if (door != null && order.compare(door, ticket) < 0) {
                if (passes.test(door.claim())) {
                    return door;
                }
                door = null;
            }
            if (passes.test(ticket.claim())) {
                return ticket;
            }
        }
        return door != null && passes.test(door.claim()) ? door : null;
    }

    Ticket last() {
        if (atDoor.isEmpty() || forWorker.isEmpty()) {
            return atDoor.isEmpty() ? forWorker.last() : atDoor.last();
        }
        return order.compare(atDoor.last(), forWorker.last()) > 0 ? atDoor.last() : forWorker.last();
    }
}
