package io.kvrouter.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.worker.WorkerId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests that have no place in the queue, and wait until it is known what other nodes have for them. */
class AskingTest {
    private static final long PATIENCE = 20_000;

    /** One who is always told that another node has a place. */
    private static final class Asker implements Claim {
        private final Ticket ticket = new Ticket(0);
        private boolean finds = true;
        private boolean in;
        private Shed.@Nullable Why shed;

        @Override
        public Aim aim() {
            return Aim.Door.ANY;
        }

        @Override
        public boolean wants(WorkerId worker) {
            return true;
        }

        @Override
        public int elsewhere() {
            return 1;
        }

        @Override
        public boolean proceed() {
            in = finds;
            return finds;
        }

        @Override
        public void shed(Shed why) {
            shed = why.why();
        }
    }

    private static Admission node(int queue) {
        return new Admission(new AdmissionSettings(1, AdmissionSettings.UNBOUNDED, queue, PATIENCE));
    }

    private static Asker comes(Admission node, long now) {
        var asker = new Asker();
        node.claim(asker.ticket, asker, now);
        return asker;
    }

    @Test
    void whoWasLetInByAskingMayAskAgain() {
        var node = node(0);
        var first = comes(node, 0);
        var second = comes(node, 10);
        node.leave(first.ticket, 100);
        assertThat(second.in).isTrue();

        second.finds = false;
        node.claim(second.ticket, second, 500);
        node.expire(740);
        assertThat(second.shed).isNull();

        node.expire(760);
        assertThat(second.shed).isEqualTo(Shed.Why.QUEUE_FULL);
    }

    @Test
    void whoHasWaitedBeforeAsksNoLongerThanOthers() {
        var node = node(1);
        var first = comes(node, 0);
        var second = comes(node, 10);
        node.leave(first.ticket, 100);
        assertThat(second.in).isTrue();
        var third = new Asker();
        third.finds = false;
        node.claim(third.ticket, third, 200);

        second.finds = false;
        node.claim(second.ticket, second, 500);
        node.expire(760);

        assertThat(second.shed).isEqualTo(Shed.Why.QUEUE_FULL);
        assertThat(third.shed).isNull();
    }

    @Test
    void whoAsksTakesAPlaceInTheQueueThatComesFree() {
        var node = node(1);
        comes(node, 0);
        var waits = comes(node, 10);
        var asks = comes(node, 20);

        node.leave(waits.ticket, 100);
        node.expire(1_000);
        assertThat(asks.shed).isNull();

        node.expire(20 + PATIENCE);
        assertThat(asks.shed).isEqualTo(Shed.Why.DEADLINE);
    }
}
