package io.kvrouter.http.turn;

import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.C;
import static io.kvrouter.http.turn.TurnWorld.bound;
import static io.kvrouter.http.turn.TurnWorld.summary;
import static io.kvrouter.http.turn.TurnWorld.url;
import static io.kvrouter.http.upstream.UpstreamFailure.CONNECT_REFUSED;
import static io.kvrouter.http.upstream.UpstreamFailure.FIRST_BYTE_TIMEOUT;
import static io.kvrouter.http.upstream.UpstreamFailure.RESET_BEFORE_HEAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.session.Answer.How;
import io.kvrouter.worker.WorkerId;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a turn does when a worker does not take it: step 6 of the life of a turn. */
class AttemptsTest {
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
    void aRefusedConnectSuspectsTheWorkerAndRebindsTheSessionByVersion() throws Exception {
        boundTo(A);
        world.upstream.at(url(A), CONNECT_REFUSED);
        world.sessions.answers(bound(B, 8, How.REBOUND));

        assertThat(world.runTurn()).isEqualTo("200 rebound b");
        assertThat(world.suspects()).containsExactly(A);
        assertThat(world.sessions.told()).containsExactly("Follow a@7", "Bind b for 7", "End b@8 served");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503})
    void aWorkerThatPushesBackIsPassedRoundAndTheSessionStays(int status) throws Exception {
        boundTo(A);
        world.upstream.at(url(A), FakeUpstream.response(status, "busy"));

        assertThat(world.runTurn()).isEqualTo("200 detoured b");
        assertThat(world.suspects()).isEmpty();
        assertThat(world.sessions.told()).containsExactly("Follow a@7", "End a@7 served");
        assertThat(world.upstream.call(0).aborted()).isTrue();
    }

    @Test
    void aWorkerThatPushesBackOnTheFirstTurnLosesTheSession() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED)).answers(bound(B, 8, How.REBOUND));
        world.upstream.at(url(A), FakeUpstream.response(503, "busy"));

        assertThat(world.runTurn()).isEqualTo("200 selected b");
        assertThat(world.sessions.told()).containsExactly("Bind a for 0", "Bind b for 7", "End b@8 served");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void aSessionThatWaitsForItsWorkerHearsThatItPushesBack(int status) throws Exception {
        boundTo(A);
        world.hard().upstream.at(url(A), FakeUpstream.response(status, "busy"));

        var response = world.head(world.turn());

        assertThat(TurnWorld.summary(response)).isEqualTo(status + " pinned a");
        assertThat(world.body(response)).isEqualTo("busy");
        assertThat(world.upstream.called()).hasSize(1);
        assertThat(world.sessions.told()).containsExactly("Follow a@7", "End a@7");
    }

    @Test
    void aSessionThatWaitsForItsWorkerDoesNotWaitForABrokenAnswer() throws Exception {
        boundTo(A);
        world.hard().upstream.at(url(A), FakeUpstream.response(502, "gone"));

        assertThat(world.runTurn()).isEqualTo("200 detoured b");
    }

    @Test
    void aSessionThatWaitsForItsWorkerHasNothingToWaitForOnItsFirstTurn() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED)).answers(bound(B, 8, How.REBOUND));
        world.hard().upstream.at(url(A), FakeUpstream.response(429, "busy"));

        assertThat(world.runTurn()).isEqualTo("200 selected b");
    }

    @Test
    void aResetBeforeTheHeadIsADetourAndSuspectsNobody() throws Exception {
        boundTo(A);
        world.upstream.at(url(A), RESET_BEFORE_HEAD);

        assertThat(world.runTurn()).isEqualTo("200 detoured b");
        assertThat(world.suspects()).isEmpty();
    }

    @Test
    void aDetourThatMeetsADeadWorkerLeavesTheSessionWhereItIs() throws Exception {
        boundTo(A);
        world.upstream.at(url(A), FakeUpstream.response(503, "busy"));
        world.upstream.at(url(B), CONNECT_REFUSED);

        assertThat(world.runTurn()).isEqualTo("200 detoured c");
        assertThat(world.sessions.told()).containsExactly("Follow a@7", "End a@7 served");
    }

    @Test
    void theLastAnswerPassesUnchangedWhenNobodyElseTakesIt() throws Exception {
        boundTo(A);
        world.only(A).upstream.at(url(A), FakeUpstream.response(503, "busy"));

        var response = world.head(world.turn());

        assertThat(summary(response)).isEqualTo("503 pinned a");
        assertThat(world.body(response)).isEqualTo("busy");
    }

    @Test
    void anAnswerThatWasKeptPassesWhenTheOthersCannotBeReached() throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(503, "busy"));
        world.upstream.at(url(B), CONNECT_REFUSED);
        world.upstream.at(url(C), CONNECT_REFUSED);

        var response = world.head(world.request());

        assertThat(response.status().intValue()).isEqualTo(503);
        assertThat(world.body(response)).isEqualTo("busy");
    }

    @Test
    void anAnswerThatWasKeptIsLetGoWithTheClient() throws Exception {
        world.only(A, B).upstream.at(url(A), FakeUpstream.response(503, "busy"));
        world.upstream.at(url(B), CONNECT_REFUSED);
        var exchange = world.request();
        world.head(exchange);

        exchange.abort();

        assertThat(world.upstream.call(0).aborted()).isTrue();
    }

    @Test
    void threeWorkersThatPushBackAreEnough() throws Exception {
        for (var worker : List.of(A, B, C)) {
            world.upstream.at(url(worker), FakeUpstream.response(429, "busy " + worker));
        }

        var response = world.head(world.request());

        assertThat(world.body(response)).isEqualTo("busy c");
        assertThat(world.upstream.called()).containsExactly(url(A), url(B), url(C));
        assertThat(world.upstream.call(1).aborted()).isTrue();
    }

    @Test
    void failedConnectsOnlyAreA502() throws Exception {
        for (var worker : List.of(A, B, C)) {
            world.upstream.at(url(worker), CONNECT_REFUSED);
        }

        assertThat(summary(world.head(world.request()))).isEqualTo("502 connect_failed");
        assertThat(world.suspects()).containsExactly(A, B, C);
    }

    @Test
    void aFirstTurnThatNobodyServesSaysSo() throws Exception {
        world.only(A).sessions.answers(bound(A, 7, How.CREATED));
        world.upstream.at(url(A), CONNECT_REFUSED);

        assertThat(summary(world.head(world.turn()))).isEqualTo("502 connect_failed");
        assertThat(world.sessions.told()).endsWith("End a@7");
        assertThat(world.sessions.end().served()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 413, 422, 500, 529})
    void otherErrorsOfTheWorkerPassAndAreNotTriedAgain(int status) throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(status, "no"));

        var response = world.head(world.request());

        assertThat(response.status().intValue()).isEqualTo(status);
        assertThat(world.body(response)).isEqualTo("no");
        assertThat(world.upstream.called()).containsExactly(url(A));
    }

    @Test
    void anErrorIsNoServedTurn() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED));
        world.upstream.at(url(A), FakeUpstream.response(400, "no"));

        world.runTurn();

        assertThat(world.sessions.end().served()).isFalse();
    }

    @Test
    void aWorkerThatIsTooSlowIsNotAskedTwice() throws Exception {
        world.upstream.at(url(A), FIRST_BYTE_TIMEOUT);

        assertThat(summary(world.head(world.request()))).isEqualTo("502 first_byte_timeout");
        assertThat(world.upstream.called()).hasSize(1);
    }

    @Test
    void aWorkerThatWasDeregisteredMeanwhileIsReplaced() throws Exception {
        world.desk.whenBooked(() -> world.only(B));

        var exchange = world.request();

        assertThat(summary(world.head(exchange))).isEqualTo("200 selected b");
        world.body(world.head(exchange));
    }

    @Test
    void aRequestThatCannotBeMadeLeavesNothingBehind() throws Exception {
        world.only(A, B).upstream.at(url(A), FakeUpstream.response(503, "busy"));
        world.upstream.breaksAt(url(B));

        assertThat(summary(world.head(world.request()))).isEqualTo("500 internal_error");
        assertThat(world.upstream.call(0).aborted()).isTrue();
    }

    @Test
    void aFailureOfTheCallIsNamedByItsKind() throws Exception {
        world.upstream.at(url(A), UpstreamFailure.BAD_RESPONSE);

        assertThat(summary(world.head(world.request()))).isEqualTo("502 bad_response");
    }

    private void boundTo(WorkerId worker) {
        world.sessions.replica(7, worker);
        world.sessions.answers(bound(worker, 7, How.FOLLOWED));
    }
}
