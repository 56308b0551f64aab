package io.kvrouter.admission;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait, in the order in which they go on: the lower priority value first, of equals a caller with room in its
 * share, of its own requests the first that came. Every fourth time priorities do not count, and it is that caller's
 * oldest deadline instead, so that no stream of urgent requests starves it. Who can't use what is free does not stand in
 * the way of those behind.
 *
 * <p>A caller's share of the places inside is seldom a whole number. None goes beyond it by a whole place while another
 * waits that does not; for what is between, and for who goes first of those that have room, counts how long they had
 * places before, so that in time each has its share.
 *
 * <p>Any change costs a few steps in ordered sets, as many as the caller has priorities that wait; a search looks at each
 * caller, and asks one request a caller and priority, and those that wait for a worker.
 */
final class Line {
    private static final int OLDEST_EVERY = 4;
    private static final Comparator<Ticket> BY_ARRIVAL = Comparator.comparingLong(Ticket::number);
    private static final Comparator<Ticket> BY_DEADLINE =
            Comparator.comparingLong(Ticket::deadline).thenComparingLong(Ticket::number);

    private final TreeMap<Integer, Level> byPriority = new TreeMap<>();
    private final Level all = new Level(BY_DEADLINE);
    private final TreeSet<Ticket> byDeadline = new TreeSet<>(BY_DEADLINE);
    private final Map<String, Standing> callers = new HashMap<>();
    private final TreeSet<Standing> byWaiting = new TreeSet<>(Standing.LEAST_WAITING);
    private int atDoor;
    private int asking;
    private long granted;
    private long known;
    private long mostHad;

    void add(Ticket ticket) {
        Standing caller = of(ticket);
        changes(caller, () -> caller.waits(mostHad));
        byPriority
                .computeIfAbsent(ticket.priority(), any -> new Level(BY_ARRIVAL))
                .add(caller, ticket);
        all.add(caller, ticket);
        byDeadline.add(ticket);
        atDoor += ticket.claim().atDoor() ? 1 : 0;
        asking += ticket.asking() ? 1 : 0;
    }

    void remove(Ticket ticket) {
        Standing caller = of(ticket);
        Level level = Objects.requireNonNull(byPriority.get(ticket.priority()), "nobody waits at this priority");
        level.remove(caller, ticket);
        if (level.isEmpty()) {
            byPriority.remove(ticket.priority());
        }
        all.remove(caller, ticket);
        byDeadline.remove(ticket);
        atDoor -= ticket.claim().atDoor() ? 1 : 0;
        asking -= ticket.asking() ? 1 : 0;
        changes(caller, caller::waitsNoMore);
    }

    /** Out of the line, because it goes on. */
    void grant(Ticket ticket) {
        enters(ticket);
        remove(ticket);
        granted++;
    }

    /** It is inside, without having waited. */
    void enters(Ticket ticket) {
        Standing caller = of(ticket);
        mostHad = Math.max(mostHad, caller.had());
        changes(caller, caller::enters);
    }

    /** It is inside no more, where it was for so long. */
    void leaves(Ticket ticket, long ms) {
        Standing caller = of(ticket);
        changes(caller, () -> caller.leaves(ms));
    }

    private Standing of(Ticket ticket) {
        CallerShare of = ticket.caller();
        Standing caller = callers.computeIfAbsent(of.caller(), any -> new Standing(of, ++known));
        if (caller.outdated(ticket)) {
            changes(caller, () -> caller.share(ticket));
        }
        return caller;
    }

    private void changes(Standing caller, Runnable change) {
        forEach(caller, level -> level.lift(caller));
        byWaiting.remove(caller);
        change.run();
        forEach(caller, level -> level.place(caller));
        if (caller.waiting() > 0) {
            byWaiting.add(caller);
        } else if (caller.idle()) {
            callers.remove(caller.caller());
        }
    }

    private static void forEach(Standing caller, Consumer<Level> act) {
        caller.levels().forEach(act);
    }

    /** The next whose claim passes; it stays in the line. All claims at the door pass, or none. */
    @Nullable
    Ticket next(Predicate<Claim> passes) {
        double placesOfAShare = placesOfAShare();
        boolean oldest = granted % OLDEST_EVERY == OLDEST_EVERY - 1;
        for (Level level : oldest ? List.of(all) : byPriority.values()) {
            Ticket next = level.next(passes, placesOfAShare);
            if (next != null) {
                return next;
            }
        }
        return null;
    }

    /** With one more inside. Those who want no more than they have count too: what they leave is for all others. */
    private double placesOfAShare() {
        int places = 1;
        int shares = 0;
        for (Standing caller : callers.values()) {
            places += caller.inside();
            shares += caller.share();
        }
        return (double) places / shares;
    }

    /** The newest of the caller with the most waiting by its share, if that is more than the one has who comes. */
    @Nullable
    Ticket givesWayTo(CallerShare coming) {
        if (byWaiting.isEmpty()) {
            return null;
        }
        Standing most = byWaiting.last();
        Standing own = callers.get(coming.caller());
        return own == null || own.waitsLess(most) ? all.last(most) : null;
    }

    /** One whose deadline has come. */
    @Nullable
    Ticket overdue(long now) {
        return byDeadline.isEmpty() || byDeadline.first().deadline() > now ? null : byDeadline.first();
    }

    /** Those that other nodes have nothing for, as it is known now. */
    List<Ticket> askingInVain() {
        return asking == 0
                ? List.of()
                : byDeadline.stream()
                        .filter(ticket -> ticket.asking() && ticket.claim().elsewhere() == 0)
                        .toList();
    }

    int size() {
        return byDeadline.size();
    }

    /** How many wait for what. */
    Map<Aim, Integer> sought() {
        Map<Aim, Integer> sought = new HashMap<>();
        byDeadline.forEach(ticket -> sought.merge(ticket.claim().aim(), 1, Integer::sum));
        return sought;
    }

    /** Those whose bodies are unread. */
    int atDoor() {
        return atDoor;
    }

    /** Those who wait for a worker. */
    int forWorker() {
        return size() - atDoor;
    }

    /** Since when the one has waited that has waited longest; {@code now} if nobody waits. */
    long longest(long now) {
        return byDeadline.stream().mapToLong(Ticket::since).min().orElse(now);
    }
}
