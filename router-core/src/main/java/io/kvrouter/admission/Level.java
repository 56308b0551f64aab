package io.kvrouter.admission;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Those who wait and differ by their callers only, each caller with its own. */
final class Level {
    private final Comparator<Ticket> order;
    private final Map<Standing, Waiting> waiting = new HashMap<>();

    /** @param order of one caller's own */
    Level(Comparator<Ticket> order) {
        this.order = order;
    }

    void add(Standing caller, Ticket ticket) {
        waiting.computeIfAbsent(caller, any -> new Waiting(order)).add(ticket);
    }

    void remove(Standing caller, Ticket ticket) {
        if (waitingOf(caller).remove(ticket)) {
            waiting.remove(caller);
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * The next whose claim passes, as {@link Waiting#next} has it.
     *
     * @param first which caller goes first
     */
    @Nullable
    Ticket next(Predicate<Claim> passes, Comparator<Standing> first) {
        var callers = new PriorityQueue<>(waiting.size() + 1, first);
        callers.addAll(waiting.keySet());
        Ticket next = null;
        while (next == null && !callers.isEmpty()) {
            next = waitingOf(callers.remove()).next(passes);
        }
        return next;
    }

    /** The last of one that waits here. */
    Ticket last(Standing caller) {
        return waitingOf(caller).last();
    }

    private Waiting waitingOf(Standing caller) {
        return Objects.requireNonNull(waiting.get(caller), "a caller waits nowhere");
    }
}
