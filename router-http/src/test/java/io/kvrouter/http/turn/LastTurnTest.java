package io.kvrouter.http.turn;

import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.C;
import static io.kvrouter.http.turn.TurnWorld.bound;
import static io.kvrouter.http.turn.TurnWorld.url;
import static io.kvrouter.http.upstream.UpstreamFailure.CONNECT_REFUSED;
import static io.kvrouter.http.upstream.UpstreamFailure.TRUNCATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.session.Answer.How;
import io.kvrouter.session.TurnEnd;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a turn with {@code x-session-final: true} ends, its session's actor hears that it was the last one. */
class LastTurnTest {
    private static final ActorTestKit KIT = ActorTestKit.create();

    private final TurnWorld world = new TurnWorld(KIT.system()).last();

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @AfterEach
    void everyBookingHasEndedOnce() {
        assertThat(world.desk.isClean()).isTrue();
    }

    @Test
    void whenItWasServed() throws Exception {
        boundToA();

        world.runTurn();

        assertThat(world.sessions.told()).endsWith("End a@7 served final");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 500, 529})
    void whenItsWorkerAnswersWithAnError(int status) throws Exception {
        boundToA();
        world.upstream.at(url(A), FakeUpstream.response(status, "no"));

        world.runTurn();

        assertThat(world.sessions.told()).endsWith("End a@7 final");
    }

    @Test
    void whenAnotherWorkerServedIt() throws Exception {
        boundToA();
        world.upstream.at(url(A), FakeUpstream.response(503, "busy"));

        assertThat(world.runTurn()).isEqualTo("200 detoured b");
        assertThat(world.sessions.told()).endsWith("End a@7 served final");
    }

    @Test
    void whenNoWorkerCanBeReached() throws Exception {
        boundToA();
        world.sessions.answers(bound(B, 8, How.REBOUND)).answers(bound(C, 9, How.REBOUND));
        world.upstream.at(url(A), CONNECT_REFUSED);
        world.upstream.at(url(B), CONNECT_REFUSED);
        world.upstream.at(url(C), CONNECT_REFUSED);

        assertThat(world.runTurn()).isEqualTo("502 connect_failed");
        assertThat(world.sessions.told()).endsWith("End c@9 final");
    }

    @Test
    void whenTheAnswerBreaksOff() throws Exception {
        boundToA();
        world.upstream.at(
                url(A), FakeUpstream.response(200, Source.failed(new UpstreamException(TRUNCATED, url(A), null))));

        var head = world.head(world.turn());

        assertThatThrownBy(() -> world.body(head)).hasRootCauseInstanceOf(UpstreamException.class);
        assertThat(world.sessions.told()).endsWith("End a@7 served final");
    }

    @Test
    void whenTheClientLeavesBeforeTheHead() throws Exception {
        boundToA();
        var unused = world.upstream.later(url(A));
        var exchange = world.turn();

        exchange.abort();

        world.head(exchange);
        assertThat(world.sessions.told()).endsWith("End a@7 final");
    }

    @Test
    void whenTheClientLeavesBeforeTheActorHeardOfTheTurn() throws Exception {
        world.sessions.replica(7, A);
        var open = world.desk.slow();
        var exchange = world.turn();

        exchange.abort();
        exchange.abort();
        open.complete(null);

        world.head(exchange);
        assertThat(world.sessions.told()).containsExactly("End a@7 final");
    }

    @Test
    void butOneThatWentNowhereMayBeSentAgain() throws Exception {
        world.hard().sessions.replica(7, A);
        world.desk.allBusy();

        assertThat(world.runTurn()).isEqualTo("429 session_worker_busy");
        assertThat(world.sessions.ends()).isZero();
    }

    @Test
    void andItIsSaidOnce() throws Exception {
        boundToA();
        var exchange = world.turn();
        world.body(world.head(exchange));

        exchange.abort();

        assertThat(world.sessions.end()).returns(true, TurnEnd::last);
    }

    private void boundToA() {
        world.sessions.replica(7, A);
        world.sessions.answers(bound(A, 7, How.FOLLOWED));
    }
}
