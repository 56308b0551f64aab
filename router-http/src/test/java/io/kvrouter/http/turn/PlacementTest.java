package io.kvrouter.http.turn;

import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.C;
import static io.kvrouter.http.turn.TurnWorld.bound;
import static io.kvrouter.http.turn.TurnWorld.summary;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Answer.How;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Where a turn goes, and what its session's actor hears of it: steps 1 to 5 of the life of a turn. */
class PlacementTest {
    private static final ActorTestKit KIT = ActorTestKit.create();

    private final TurnWorld world = new TurnWorld(KIT.system());

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @AfterEach
    void everyBookingHasEndedOnce() {
        assertThat(world.desk.isClean()).isTrue();
    }

    @Test
    void aRequestWithoutASessionIsSelectedAndTellsNoActor() throws Exception {
        var response = world.head(world.request());
        world.body(response);

        assertThat(summary(response)).isEqualTo("200 selected a");
        assertThat(world.sessions.told()).isEmpty();
    }

    @Test
    void aFirstTurnBindsTheWorkerThatWasSelected() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED));

        assertThat(world.runTurn()).isEqualTo("200 selected a");
        assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End a@7 served");
        assertThat(world.sessions.end().contextTokens()).isEqualTo(4);
    }

    @Test
    void aLaterTurnFollowsWithoutBeingScored() throws Exception {
        world.sessions.replica(7, B);
        world.sessions.answers(bound(B, 7, How.FOLLOWED));

        assertThat(world.runTurn()).isEqualTo("200 pinned b");
        assertThat(world.sessions.told()).containsExactly("Follow b@7", "End b@7 served");
        assertThat(world.desk.selections()).isZero();
    }

    @Test
    void aTurnWhoseWorkerIsNotEligibleRebindsByTheVersionThatItSaw() throws Exception {
        world.only(B, C).sessions.replica(7, A);
        world.sessions.answers(bound(B, 8, How.REBOUND));

        assertThat(world.runTurn()).isEqualTo("200 rebound b");
        assertThat(world.sessions.told()).containsExactly("Bind b for 7", "End b@8 served");
    }

    @Test
    void aTurnOfARemovedSessionBindsOverTheRemoval() throws Exception {
        world.sessions.removed(7);
        world.sessions.answers(bound(A, 8, How.CREATED));

        assertThat(world.runTurn()).isEqualTo("200 selected a");
        assertThat(world.sessions.told()).startsWith("Bind a for 7");
    }

    @Test
    void aTurnIsBoundAnewWhenTheActorKnowsThatItsSessionIsGone() throws Exception {
        world.sessions.replica(7, B);
        world.sessions.answers(new Answer.Unbound(9)).answers(bound(A, 10, How.CREATED));

        assertThat(world.runTurn()).isEqualTo("200 selected a");
        assertThat(world.sessions.told()).containsExactly("Follow b@7", "Bind a for 9", "End a@10 served");
    }

    @Test
    void theLoserOfARaceFollowsTheWinnersBinding() throws Exception {
        world.sessions.answers(bound(C, 7, How.FOLLOWED));

        assertThat(world.runTurn()).isEqualTo("200 pinned c");
        assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End c@7 served");
        assertThat(world.desk.bookings()).isEqualTo(2);
    }

    @Test
    void aBindingToAWorkerThatIsNotEligibleHereIsReplacedByItsVersion() throws Exception {
        world.allowing(A, B).sessions.answers(bound(C, 7, How.FOLLOWED));
        world.sessions.answers(bound(A, 8, How.REBOUND));

        assertThat(world.runTurn()).isEqualTo("200 rebound a");
        assertThat(world.sessions.told()).containsExactly("Bind a for 0", "Bind a for 7", "End a@8 served");
    }

    @Test
    void threeAsksInVainEndInADetour() throws Exception {
        world.allowing(A, B);
        for (int version = 7; version <= 9; version++) {
            world.sessions.answers(bound(C, version, How.FOLLOWED));
        }

        assertThat(world.runTurn()).isEqualTo("200 detoured a");
        assertThat(world.sessions.told("Bind")).isEqualTo(3);
        assertThat(world.sessions.told()).endsWith("End c@9 served");
    }

    @Test
    void noWorkerIsA503AndNothingIsTold() throws Exception {
        assertThat(summary(world.only().head(world.turn()))).isEqualTo("503 no_eligible_worker");
        assertThat(world.sessions.told()).isEmpty();
    }

    @Test
    void onlyBusyWorkersAreA429ThatSaysWhenToComeBack() throws Exception {
        world.desk.allBusy();

        var response = world.head(world.turn());

        assertThat(summary(response)).isEqualTo("429 all_workers_busy");
        assertThat(TurnWorld.header(response, "Retry-After")).hasValue("1");
    }

    @Test
    void aBoundTurnIsServedThoughAllAreBusy() throws Exception {
        world.desk.allBusy();
        world.sessions.replica(7, B);
        world.sessions.answers(bound(B, 7, How.FOLLOWED));

        assertThat(world.runTurn()).isEqualTo("200 pinned b");
    }

    @Nested
    class WhenTheSessionWaitsForItsWorker {
        @Test
        void aBusyOneIsA429ThatSaysWhenToComeBack() throws Exception {
            world.desk.allBusy();
            world.hard().sessions.replica(7, B);

            var response = world.head(world.turn());

            assertThat(summary(response)).isEqualTo("429 session_worker_busy");
            assertThat(TurnWorld.header(response, "Retry-After")).hasValue("1");
            assertThat(world.sessions.told()).isEmpty();
        }

        @Test
        void aBusyOneThatTheActorNamesIsA429Too() throws Exception {
            world.hard().sessions.answers(bound(B, 7, How.FOLLOWED));
            world.desk.whenBooked(world.desk::allBusy);

            assertThat(summary(world.head(world.turn()))).isEqualTo("429 session_worker_busy");
            assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End 0");
        }

        @Test
        void aCallerWhoNamesItDoesNotWait() throws Exception {
            world.desk.allBusy();
            world.sessions.replica(7, B);
            world.sessions.answers(bound(B, 7, How.FOLLOWED));
            world.hard().naming(B);

            assertThat(world.runTurn()).isEqualTo("200 pinned b");
        }

        @Test
        void oneThatIsNotEligibleIsLeft() throws Exception {
            world.only(A).hard().sessions.replica(7, B);
            world.sessions.answers(bound(A, 8, How.REBOUND));

            assertThat(world.runTurn()).isEqualTo("200 rebound a");
        }
    }

    @Test
    void theLastTurnSaysSo() throws Exception {
        world.last().sessions.answers(bound(A, 7, How.CREATED));

        world.runTurn();

        assertThat(world.sessions.told()).endsWith("End a@7 served final");
    }

    @Nested
    class WhenTheActorIsNotHeard {
        @Test
        void aPinnedTurnGoesOnToItsWorkerAndKeepsItsVersion() throws Exception {
            world.sessions.replica(7, B);
            world.sessions.isNotHeard();

            assertThat(world.runTurn()).isEqualTo("200 pinned b");
            assertThat(world.sessions.told()).containsExactly("Follow b@7", "End b@7 served");
        }

        @Test
        void aFirstTurnGoesToItsCandidateAndEndsWithoutAVersion() throws Exception {
            world.sessions.isNotHeard();

            assertThat(world.runTurn()).isEqualTo("200 unbound a");
            assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End 0 served");
        }

        @Test
        void aLateAnswerThatNamesTheWorkerInUseGivesTheTurnItsVersion() throws Exception {
            world.sessions.isNotHeard();
            var response = world.head(world.turn());

            world.sessions.answersLate(bound(A, 7, How.CREATED));
            world.body(response);

            assertThat(world.sessions.told()).endsWith("End a@7 served");
        }

        @Test
        void aLateAnswerThatNamesAnotherWorkerChangesNothing() throws Exception {
            world.sessions.isNotHeard();
            var response = world.head(world.turn());

            world.sessions.answersLate(bound(B, 7, How.FOLLOWED));
            world.body(response);

            assertThat(summary(response)).isEqualTo("200 unbound a");
            assertThat(world.sessions.told()).endsWith("End 0 served");
        }

        @Test
        void theNextTurnGoesWhereThisNodeSentTheLastOne() throws Exception {
            world.sessions.provisionally(C);
            world.sessions.isNotHeard();

            assertThat(world.runTurn()).isEqualTo("200 unbound c");
            assertThat(world.sessions.told()).containsExactly("Bind c for 0", "End 0 served");
        }

        @Test
        void aWorkerOfTheLastTurnThatIsGoneIsNotUsed() throws Exception {
            world.only(A, B).sessions.provisionally(C);
            world.sessions.isNotHeard();

            assertThat(world.runTurn()).isEqualTo("200 unbound a");
        }

        @Test
        void aTurnThatWouldRebindClaimsNoVersion() throws Exception {
            world.only(B, C).sessions.replica(7, A);
            world.sessions.provisionally(C);
            world.sessions.isNotHeard();

            assertThat(world.runTurn()).isEqualTo("200 unbound c");
            assertThat(world.sessions.told()).containsExactly("Bind c for 7", "End 0 served");
        }
    }

    @Nested
    class WhenATrustedCallerNamesAWorker {
        @Test
        void theRequestGoesThereAndTheSessionHearsNothing() throws Exception {
            world.naming(C).sessions.replica(7, B);

            assertThat(world.runTurn()).isEqualTo("200 selected c");
            assertThat(world.sessions.told()).isEmpty();
        }

        @Test
        void aWorkerThatIsNotEligibleIsTheCallersError() throws Exception {
            var response = world.only(A).naming(C).head(world.turn());

            assertThat(summary(response)).isEqualTo("400 worker_not_eligible");
        }

        @Test
        void theBoundOneMakesItATurnOfTheSession() throws Exception {
            world.naming(B).sessions.replica(7, B);
            world.sessions.answers(bound(B, 7, How.FOLLOWED));

            assertThat(world.runTurn()).isEqualTo("200 pinned b");
            assertThat(world.sessions.told()).containsExactly("Follow b@7", "End b@7 served");
        }

        @Test
        void aSessionThatHasLeftTheNamedWorkerIsNotBroughtBack() throws Exception {
            world.naming(B).sessions.replica(7, B);
            world.sessions.answers(bound(C, 8, How.FOLLOWED));

            assertThat(world.runTurn()).isEqualTo("200 selected b");
            assertThat(world.sessions.told()).containsExactly("Follow b@7", "End 0 served");
        }
    }
}
