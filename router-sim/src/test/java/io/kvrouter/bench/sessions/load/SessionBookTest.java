package io.kvrouter.bench.sessions.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SessionBookTest {
    private static final int A = 0;
    private static final int B = 1;
    private static final int FAULT_MS = 10_000;

    private final SessionBook book = new SessionBook(3, "run-");

    private void turn(int session, int worker, String decision, int atMs) {
        assertThat(book.begin(session)).isTrue();
        book.answered(session, worker, decision, atMs);
    }

    @Test
    void turnsOfASessionFollowOneAnother() {
        assertThat(book.begin(0)).isTrue();

        assertThat(book.begin(0)).isFalse();
        book.failed(0);
        assertThat(book.begin(0)).isTrue();
    }

    @Test
    void aSessionIsUnboundUntilATurnSucceeds() {
        book.begin(0);
        book.failed(0);
        turn(1, A, "selected", 1);

        assertThat(book.unbound()).containsExactly(0, 2);
    }

    @Test
    void itsIdTellsItsWorkerUntilAnotherSessionTakesItsPlace() {
        turn(1, B, "selected", 1);
        String id = book.id(1);
        assertThat(book.workerOf(id)).isEqualTo(B);

        book.renew(1);

        assertThat(book.id(1)).isNotEqualTo(id);
        assertThat(book.workerOf(id)).isEqualTo(-1);
        assertThat(book.workerOf("another-1-0")).isEqualTo(-1);
    }

    @Nested
    class AfterAFault {
        @BeforeEach
        void bound() {
            turn(0, A, "selected", FAULT_MS - 5_000);
            turn(1, A, "selected", FAULT_MS - 500);
            book.fault(FAULT_MS);
        }

        @Test
        void aTurnAtTheSameWorkerChangesNothing() {
            turn(0, A, "pinned", FAULT_MS + 1);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 0, 0, 0, 0, 0));
            assertThat(book.unasked()).containsExactly(1);
        }

        @Test
        void oneReboundTurnExplainsAChange() {
            turn(0, B, "rebound", FAULT_MS + 1);
            turn(0, B, "pinned", FAULT_MS + 2);

            assertThat(book.changes()).isEqualTo(new Changes(1, 1, 0, 0, 0, 0, 0));
        }

        @Test
        void aSecondReboundTurnForOneChangeIsNoExplanation() {
            turn(0, B, "rebound", FAULT_MS + 1);
            turn(0, B, "rebound", FAULT_MS + 2);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 1, 0, 0, 0, 0));
        }

        @Test
        void aChangeThatNobodyTellsIsSilent() {
            turn(0, B, "pinned", FAULT_MS + 1);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 1, 0, 0, 0, 0));
        }

        @Test
        void thereAndBackAgainHasChanged() {
            turn(0, B, "unbound", FAULT_MS + 1);
            turn(0, A, "pinned", FAULT_MS + 2);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 1, 0, 0, 0, 0));
        }

        /** Its first turn went where its node proposed, while its actor may have bound it elsewhere. */
        @Test
        void aChangeAfterATurnThatNobodyDecidedOnIsApart() {
            turn(2, A, "unbound", FAULT_MS - 5_000);
            turn(2, B, "pinned", FAULT_MS + 1);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 0, 1, 0, 0, 0));
        }

        @Test
        void aDetourLeavesTheSessionWhereItIs() {
            turn(0, B, "detoured", FAULT_MS + 1);
            turn(0, A, "pinned", FAULT_MS + 2);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 0, 0, 0, 0, 0));
        }

        @Test
        void aFirstTurnsDecisionTellsThatItWasForgotten() {
            turn(0, A, "selected", FAULT_MS + 1);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 0, 0, 0, 0, 1));
        }

        @Test
        void whatWasBoundJustBeforeIsApart() {
            turn(1, B, "selected", FAULT_MS + 1);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 0, 0, 1, 0, 0));
        }

        @Test
        void whatWasBoundOnlyLaterIsApart() {
            turn(2, A, "selected", FAULT_MS + 1);
            turn(2, B, "unbound", FAULT_MS + 2);

            assertThat(book.changes()).isEqualTo(new Changes(1, 0, 0, 0, 0, 1, 0));
        }

        @Test
        void whatASessionHadChangedIsKnownWhenAnotherHasItsPlace() {
            turn(0, B, "pinned", FAULT_MS + 1);
            book.renew(0);
            turn(0, A, "selected", FAULT_MS + 2);

            assertThat(book.changes()).isEqualTo(new Changes(2, 0, 1, 0, 0, 0, 0));
        }

        @Test
        void theNextFaultBeginsAnew() {
            turn(0, B, "pinned", FAULT_MS + 1);
            book.fault(2 * FAULT_MS);

            assertThat(book.changes()).isEqualTo(new Changes(0, 0, 0, 0, 0, 0, 0));
        }
    }
}
