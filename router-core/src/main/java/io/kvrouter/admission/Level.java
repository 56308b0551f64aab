package io.kvrouter.admission;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Those who wait and differ by their callers only: the callers in the order in which they go on, each with its own. */
final class Level {
    private final Comparator<Ticket> order;
    private final Map<Standing, Waiting> waiting = new HashMap<>();
    private final TreeSet<Standing> callers = new TreeSet<>(Standing.LEAST_HAD);

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

    /**
     * The next whose claim passes, as {@link Waiting#next} has it: of the callers with room in their shares, then of the
     * others.
     */
    @Nullable
    Ticket next(Predicate<Claim> passes, double placesOfAShare) {
        Ticket next = first(callers.stream().filter(one -> one.hasRoom(placesOfAShare)), passes);
        return next != null
                ? next
                : first(
                        callers.stream()
                                .filter(one -> !one.hasRoom(placesOfAShare))
                                .sorted(Standing.LEAST_INSIDE),
                        passes);
    }

    private @Nullable Ticket first(Stream<Standing> ordered, Predicate<Claim> passes) {
        return ordered.map(caller -> waitingOf(caller).next(passes))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The last of one that waits here. */
    Ticket last(Standing caller) {
        return waitingOf(caller).last();
    }

    private Waiting waitingOf(Standing caller) {
        return Objects.requireNonNull(waiting.get(caller), "a caller waits nowhere");
    }
}
