package io.kvrouter.http.turn;

import static io.kvrouter.http.testing.Eventually.eventually;
import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.TTL_MS;
import static io.kvrouter.http.turn.TurnWorld.bound;
import static io.kvrouter.http.turn.TurnWorld.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.session.Answer.How;
import java.time.Duration;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Heartbeats of a turn to its session's actor. */
class HeartbeatTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
    private static final ManualTime TIME = ManualTime.get(KIT.system());
    private static final Header EVENTS = new Header("Content-Type", "text/event-stream; charset=utf-8");

    private final TurnWorld world = new TurnWorld(KIT.system());
    private final Source<ByteString, NotUsed> silent =
            Source.<ByteString>queue(16).preMaterialize(KIT.system()).second();

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @BeforeEach
    void workerAStreams() {
        world.upstream.at(url(A), FakeUpstream.response(200, silent, EVENTS));
    }

    @AfterEach
    void everyBookingHasEndedOnce() {
        assertThat(world.desk.isClean()).isTrue();
    }

    /** A client that waits for what its worker sends. */
    private SinkQueueWithCancel<ByteString> streaming() throws Exception {
        return world.head(world.turn()).entity().getDataBytes().runWith(Sink.queue(), KIT.system());
    }

    @Test
    void goOutFourTimesAnIdleTimeWhileTheTurnRuns() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED));
        var client = streaming();

        pass(TTL_MS);
        eventually("four heartbeats", () -> world.sessions.told("Keep a@7") == 4);
        client.cancel();
        eventually("ended", world.desk::isClean);
        pass(TTL_MS);

        assertThat(world.sessions.told("Keep")).isEqualTo(4);
    }

    @Test
    void stopOnceANewerVersionIsInTheReplica() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED));
        var client = streaming();

        world.sessions.replica(8, B);
        pass(TTL_MS);
        client.cancel();
        eventually("ended", world.desk::isClean);

        assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End 0 served");
    }

    @Test
    void isNotMadeUpForByAnEndThatSeesANewerVersionFirst() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED));
        var client = streaming();

        world.sessions.replica(8, B);
        client.cancel();
        eventually("ended", world.desk::isClean);

        assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End 0 served");
    }

    @Test
    void followALateBindingOfThisTurnAwayFromAWorkerThatDidNotTakeIt() throws Exception {
        world.sessions.isNotHeard().isNotHeard().answers(bound(B, 8, How.REBOUND));
        world.upstream.at(url(A), UpstreamFailure.CONNECT_REFUSED);
        world.upstream.at(url(B), FakeUpstream.response(200, silent, EVENTS));
        var client = streaming();
        world.sessions.answersLate(bound(A, 7, How.CREATED));
        eventually("bound anew", () -> world.sessions.told("Bind b for 7") == 1);
        client.cancel();
        eventually("ended", world.desk::isClean);
    }

    @Test
    void beginWhenALateAnswerGivesTheVersion() throws Exception {
        world.sessions.isNotHeard();
        var client = streaming();
        pass(TTL_MS);
        assertThat(world.sessions.told("Keep")).isZero();

        world.sessions.answersLate(bound(A, 7, How.CREATED));
        pass(TTL_MS / 4);

        eventually("a heartbeat", () -> world.sessions.told("Keep a@7") == 1);
        client.cancel();
        eventually("ended", world.desk::isClean);
    }

    @Test
    void keepTheBindingOfASessionThatTookADetour() throws Exception {
        world.sessions.replica(7, A);
        world.sessions.answers(bound(A, 7, How.FOLLOWED));
        world.upstream.at(url(A), FakeUpstream.response(503, "busy"));
        world.upstream.at(url(B), FakeUpstream.response(200, silent, EVENTS));
        var client = streaming();

        pass(TTL_MS / 4);

        eventually("a heartbeat", () -> world.sessions.told("Keep a@7") == 1);
        client.cancel();
        eventually("ended", world.desk::isClean);
    }

    private void pass(long ms) {
        TIME.timePasses(Duration.ofMillis(ms));
    }
}
