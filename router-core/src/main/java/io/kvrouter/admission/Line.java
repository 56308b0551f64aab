package io.kvrouter.admission;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait, in the order in which they go on: the lower priority value first, of equals a caller with room in its
 * share, of its own requests the first that came. Every fourth time priorities do not count, and it is that caller's
 * oldest deadline instead, so that no stream of urgent requests starves it. Who can't use what is free does not stand in
 * the way of those behind.
 *
 * <p>A caller's share of the places inside is seldom a whole number. None goes beyond another that waits by as much as one
 * place makes in either's share; within that the one goes first that has had places for less time, so that in time each
 * has its share. Who wanted nothing is owed nothing for that time, and nobody more than the credit: else it could keep
 * others out who wait for the same, while it was behind because it wanted less, or something else.
 *
 * <p>Any change costs a few steps in ordered sets; a search looks at each caller that waits, and asks one request a caller
 * and priority, and those that wait for a worker.
 */
final class Line {
    private static final int OLDEST_EVERY = 4;
    private static final Comparator<Ticket> BY_ARRIVAL = Comparator.comparingLong(Ticket::number);
    private static final Comparator<Ticket> BY_DEADLINE =
            Comparator.comparingLong(Ticket::until).thenComparingLong(Ticket::number);

    private final TreeMap<Integer, Level> byPriority = new TreeMap<>();
    private final Level all = new Level(BY_DEADLINE);
    private final TreeSet<Ticket> byDeadline = new TreeSet<>(BY_DEADLINE);
    private final Map<String, Standing> callers = new HashMap<>();
    private final TreeSet<Standing> byWaiting = new TreeSet<>(Standing.LEAST_WAITING);
    private final long credit;
    private int atDoor;
    private int asking;
    private long granted;
    private long known;

    /** @param creditMs for how long of one place, by its share, a caller may be behind another and be owed it */
    Line(long creditMs) {
        this.credit = creditMs * Standing.PARTS;
    }

    void add(Ticket ticket) {
        Standing caller = of(ticket);
        long now = ticket.since();
        long most = mostHad(now);
        changes(caller, () -> caller.waits(most, now));
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
    void grant(Ticket ticket, long now) {
        enters(ticket, now);
        remove(ticket);
        granted++;
    }

    /** It is inside, without having waited. */
    void enters(Ticket ticket, long now) {
        of(ticket).enters(size() == 0 ? 0 : mostHad(now) - credit, now);
    }

    private long mostHad(long now) {
        return callers.values().stream()
                .mapToLong(caller -> caller.had(now))
                .max()
                .orElse(0);
    }

    /** It is inside no more. */
    void leaves(Ticket ticket, long now) {
        Standing caller = of(ticket);
        changes(caller, () -> caller.leaves(ticket.since(), now));
    }

    /** As many of those that only ask as there are places in the queue have one now. */
    void seat(int places) {
        while (asking > 0 && size() - asking < places) {
            Ticket first =
                    byDeadline.stream().filter(Ticket::asking).min(BY_ARRIVAL).orElseThrow();
            remove(first);
            first.seated();
            add(first);
        }
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
        byWaiting.remove(caller);
        change.run();
        if (caller.waiting() > 0) {
            byWaiting.add(caller);
        } else if (caller.idle()) {
            callers.remove(caller.caller());
        }
    }

    /** The next whose claim passes; it stays in the line. All claims at the door pass, or none. */
    @Nullable
    Ticket next(Predicate<Claim> passes, long now) {
        var first = Standing.first(leastWithOneMore(), now);
        boolean oldest = granted % OLDEST_EVERY == OLDEST_EVERY - 1;
        for (Level level : oldest ? List.of(all) : byPriority.values()) {
            Ticket next = level.next(passes, first);
            if (next != null) {
                return next;
            }
        }
        return null;
    }

    private double leastWithOneMore() {
        return byWaiting.stream().mapToDouble(Standing::withOneMore).min().orElse(0);
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
        return byDeadline.isEmpty() || byDeadline.first().until() > now ? null : byDeadline.first();
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
