package io.kvrouter.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LineTest {
    private static final Comparator<Ticket> BY_PRIORITY =
            Comparator.comparingInt(Ticket::priority).thenComparingLong(Ticket::number);
    private static final Comparator<Ticket> BY_DEADLINE =
            Comparator.comparingLong(Ticket::deadline).thenComparingLong(Ticket::number);

    private final Line line = new Line();
    private final List<Ticket> plain = new ArrayList<>();
    private final Random random = new Random(5);
    private long granted;
    private long now;

    /** Who can only use what is of its kind. */
    private record OfKind(int kind) implements Claim {
        @Override
        public boolean atDoor() {
            return kind == 0;
        }

        @Override
        public boolean wants(WorkerId worker) {
            return false;
        }

        @Override
        public boolean proceed() {
            return true;
        }

        @Override
        public void shed(Shed why) {
            // a line tells nobody
        }
    }

    @Test
    void isInTheOrderThatAPlainSearchFinds() {
        for (now = 1; now < 50_000; now++) {
            switch (random.nextInt(5)) {
                case 0, 1 -> comes();
                case 2 -> leaves();
                default -> goes();
            }
            assertThat(line.size()).isEqualTo(plain.size());
            assertThat(line.overdue(now))
                    .isSameAs(plain.stream()
                            .filter(ticket -> ticket.deadline() <= now)
                            .min(BY_DEADLINE)
                            .orElse(null));
        }
        assertThat(granted).isGreaterThan(5_000);
    }

    private void comes() {
        var ticket = new Ticket(random.nextInt(3));
        ticket.arrives(now);
        ticket.waitsFor(new OfKind(random.nextInt(3)), now, 20 + random.nextInt(20));
        line.add(ticket);
        plain.add(ticket);
    }

    private void leaves() {
        if (!plain.isEmpty()) {
            line.remove(plain.remove(random.nextInt(plain.size())));
        }
    }

    private void goes() {
        var kind = new OfKind(random.nextInt(3));
        Predicate<Claim> passes = kind::equals;
        Ticket expected = first(passes);

        Ticket next = line.next(passes);

        assertThat(next).isSameAs(expected);
        if (next != null) {
            line.grant(next);
            plain.remove(next);
            granted++;
        }
    }

    private @Nullable Ticket first(Predicate<Claim> passes) {
        return plain.stream()
                .filter(ticket -> passes.test(ticket.claim()))
                .min(granted % 4 == 3 ? BY_DEADLINE : BY_PRIORITY)
                .orElse(null);
    }
}
