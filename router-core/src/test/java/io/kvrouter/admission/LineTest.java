package io.kvrouter.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a plain list that is searched from end to end. */
class LineTest {
    private static final Comparator<Ticket> BY_ARRIVAL = Comparator.comparingLong(Ticket::number);
    private static final Comparator<Ticket> BY_DEADLINE =
            Comparator.comparingLong(Ticket::until).thenComparingLong(Ticket::number);

    private static final int CREDIT = 30;

    private final Line line = new Line(CREDIT);
    private final List<Ticket> plain = new ArrayList<>();
    private final List<Ticket> inside = new ArrayList<>();
    private final Map<String, Caller> callers = new HashMap<>();
    private final Random random = new Random(5);
    private long granted;
    private long known;
    private long now;

    /** What the line should remember of a caller, as long as that has anything. */
    private static final class Caller {
        final long number;
        final int share;
        long inside;
        long since;
        long waiting;
        long ended;

        Caller(long number, int share) {
            this.number = number;
            this.share = share;
        }

        long had(long now) {
            return ended + (inside * now - since) * 1_000 / share;
        }

        void atLeast(long had, long now) {
            ended += Math.max(0, had - had(now));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void isInTheOrderThatAPlainSearchFinds(int names) {
        for (now = 1; now < 50_000; now++) {
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> comes(share(random.nextInt(names)));
                case 3 -> cancels();
                case 4 -> enters(share(random.nextInt(names)));
                case 5, 6 -> ends();
                default -> goes();
            }
            assertThat(line.size()).isEqualTo(plain.size());
            assertThat(line.atDoor()).isEqualTo((int)
                    plain.stream().filter(t -> t.claim().atDoor()).count());
            assertThat(line.overdue(now))
                    .isSameAs(plain.stream()
                            .filter(ticket -> ticket.until() <= now)
                            .min(BY_DEADLINE)
                            .orElse(null));
            givesWay(share(random.nextInt(names)));
        }
        assertThat(granted).isGreaterThan(5_000);
    }

    private static CallerShare share(int name) {
        return new CallerShare("c" + name, 1 + name % 3);
    }

    private Ticket ticket(CallerShare of, long number) {
        var ticket = new Ticket(of, random.nextInt(3));
        ticket.arrives(number);
        return ticket;
    }

    private void comes(CallerShare of) {
        var ticket = ticket(of, now);
        ticket.waitsFor(new OfKind(random.nextInt(3)), now, 20 + random.nextInt(20));
        line.add(ticket);
        plain.add(ticket);
        Caller caller = caller(ticket);
        if (caller.inside + caller.waiting == 0) {
            caller.atLeast(mostHad(), now);
        }
        caller.waiting++;
    }

    private long mostHad() {
        return callers.values().stream().mapToLong(c -> c.had(now)).max().orElse(0);
    }

    private Caller caller(Ticket ticket) {
        CallerShare of = ticket.caller();
        return callers.computeIfAbsent(of.caller(), any -> new Caller(++known, of.share()));
    }

    private void forget(Ticket ticket) {
        if (caller(ticket).inside + caller(ticket).waiting == 0) {
            callers.remove(ticket.caller().caller());
        }
    }

    private void cancels() {
        if (!plain.isEmpty()) {
            Ticket ticket = plain.remove(random.nextInt(plain.size()));
            line.remove(ticket);
            caller(ticket).waiting--;
            forget(ticket);
        }
    }

    private void enters(CallerShare of) {
        var ticket = ticket(of, now);
        line.enters(ticket, now);
        entered(ticket);
    }

    private void entered(Ticket ticket) {
        Caller caller = caller(ticket);
        if (!plain.isEmpty()) {
            caller.atLeast(mostHad() - CREDIT * 1_000, now);
        }
        caller.inside++;
        caller.since += now;
        ticket.becomes(Ticket.State.INSIDE, now);
        inside.add(ticket);
    }

    private void ends() {
        if (!inside.isEmpty()) {
            Ticket ticket = inside.remove(random.nextInt(inside.size()));
            line.leaves(ticket, now);
            Caller caller = caller(ticket);
            caller.inside--;
            caller.since -= ticket.since();
            caller.ended += Math.max(1, now - ticket.since()) * 1_000 / caller.share;
            forget(ticket);
        }
    }

    private void goes() {
        var kind = new OfKind(random.nextInt(3));
        Predicate<Claim> passes = kind::equals;
        Ticket expected = plain.stream()
                .filter(ticket -> passes.test(ticket.claim()))
                .min(order())
                .orElse(null);

        Ticket next = line.next(passes, now);

        assertThat(next).isSameAs(expected);
        if (next != null) {
            line.grant(next, now);
            entered(next);
            plain.remove(next);
            caller(next).waiting--;
            granted++;
        }
    }

    private Comparator<Ticket> order() {
        double least = plain.stream()
                .mapToDouble(t -> (caller(t).inside + 1.0) / caller(t).share)
                .min()
                .orElse(0);
        Comparator<Ticket> fair = Comparator.<Ticket>comparingDouble(t -> {
                    double own = (double) caller(t).inside / caller(t).share;
                    return own < least ? 0 : own;
                })
                .thenComparingLong(t -> caller(t).had(now))
                .thenComparingLong(t -> caller(t).number);
        return granted % 4 == 3
                ? fair.thenComparing(BY_DEADLINE)
                : Comparator.comparingInt(Ticket::priority).thenComparing(fair).thenComparing(BY_ARRIVAL);
    }

    private void givesWay(CallerShare coming) {
        Ticket expected = plain.stream()
                .max(Comparator.<Ticket>comparingDouble(t -> waiting(t.caller()))
                        .thenComparingLong(t -> caller(t).number)
                        .thenComparing(BY_DEADLINE))
                .filter(t -> waiting(t.caller()) > waiting(coming))
                .orElse(null);

        assertThat(line.givesWayTo(coming)).isSameAs(expected);
    }

    private double waiting(CallerShare of) {
        @Nullable Caller caller = callers.get(of.caller());
        return caller == null ? 0 : (double) caller.waiting / of.share();
    }
}
