package io.kvrouter.admission;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Those who wait and differ by their callers only: the callers in the order in which they go on, each with its own. */
final class Level {
    private final Comparator<Ticket> order;
    private final Map<Standing, Waiting> waiting = new HashMap<>();
    private final TreeSet<Standing> callers = new TreeSet<>(Standing.LEAST_INSIDE);

    /** @param order of one caller's own */
    Level(Comparator<Ticket> order) {
        this.order = order;
    }

    void add(Standing caller, Ticket ticket) {
        Waiting own = waiting.get(caller);
        if (own == null) {
            own = new Waiting(order);
            waiting.put(caller, own);
            callers.add(caller);
            caller.levels().add(this);
        }
        own.add(ticket);
    }

    void remove(Standing caller, Ticket ticket) {
        Waiting own = waiting.get(caller);
        if (own != null && own.remove(ticket)) {
            waiting.remove(caller);
            callers.remove(caller);
            caller.levels().remove(this);
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Before a caller's standing changes. */
    void lift(Standing caller) {
        callers.remove(caller);
    }

    /** Behind {@link #lift}. */
    void place(Standing caller) {
        callers.add(caller);
    }

    /** The next whose claim passes, as {@link Waiting#next} has it. */
    @Nullable
    Ticket next(Predicate<Claim> passes) {
        for (Standing caller : callers) {
            Waiting own = waiting.get(caller);
            Ticket next = own == null ? null : own.next(passes);
            if (next != null) {
                return next;
            }
        }
        return null;
    }

    /** The last of one that waits here. */
    Ticket last(Standing caller) {
        Waiting own = waiting.get(caller);
        if (own == null) {
            throw new IllegalStateException("a caller waits nowhere");
        }
        return own.last();
    }
}
