package io.kvrouter.http.turn;

import static io.kvrouter.http.testing.Eventually.eventually;
import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.bound;
import static io.kvrouter.http.turn.TurnWorld.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.session.Answer.How;
import java.time.Duration;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A turn while it runs, and the one place where it ends: steps 7 and 8 of the life of a turn. */
class TurnEndTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
    private static final ManualTime TIME = ManualTime.get(KIT.system());
    private static final Header EVENTS = new Header("Content-Type", "text/event-stream; charset=utf-8");

    private final TurnWorld world = new TurnWorld(KIT.system());
    private final Pair<BoundedSourceQueue<ByteString>, Source<ByteString, NotUsed>> worker =
            Source.<ByteString>queue(16).preMaterialize(KIT.system());

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @AfterEach
    void everyBookingHasEndedOnce() {
        assertThat(world.desk.isClean()).isTrue();
    }

    @Test
    void theReservationIsHeldUntilTheLastByte() throws Exception {
        var client = streaming();

        send("data: 1\n\n");
        client.pull().toCompletableFuture().join();
        assertThat(world.desk.held()).containsExactly(A);
        worker.first().complete();

        assertThat(client.pull().toCompletableFuture().join()).isEmpty();
        assertThat(world.desk.held()).isEmpty();
    }

    @Test
    void theFirstEventCompletesThePrefillOnce() throws Exception {
        var client = streaming();

        send(": still waiting\n\n");
        client.pull().toCompletableFuture().join();
        assertThat(world.desk.prefills()).isZero();
        send("data: 1\n\n");
        send("data: 2\n\n");
        client.pull().toCompletableFuture().join();
        client.pull().toCompletableFuture().join();

        assertThat(world.desk.prefills()).isEqualTo(1);
        client.cancel();
        eventually("ended", world.desk::isClean);
    }

    @Test
    void anAnswerThatCameWholeEndsTheTurnWhenItIsTold() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED));
        world.upstream.at(url(A), FakeUpstream.whole(200, "hello"));

        var response = world.head(world.turn());

        assertThat(world.desk.held()).isEmpty();
        assertThat(world.desk.prefills()).isEqualTo(1);
        assertThat(world.sessions.told()).endsWith("End a@7 served");
        assertThat(response.entity().isStrict()).isTrue();
        assertThat(read(read(response))).isEqualTo("hello");
    }

    @Test
    void anErrorEventFollowsWhatAWorkerSentBeforeItBroke() throws Exception {
        var client = streaming();

        send("data: 1\n\n");
        assertThat(read(client)).isEqualTo("data: 1\n\n");

        worker.first().fail(new UpstreamException(UpstreamFailure.TRUNCATED, url(A), null));

        assertThat(read(client))
                .startsWith("\n\nevent: error\ndata: {\"error\":{")
                .endsWith("}}\n\n");
        assertThat(world.desk.held()).isEmpty();
        var end = client.pull().toCompletableFuture();
        assertThat(end).isNotDone();
        eventually("reset after a pause", () -> {
            TIME.timePasses(Duration.ofMillis(50));
            return end.isCompletedExceptionally();
        });
    }

    @Test
    void aTurnThatBrokeInTheMiddleWasServed() throws Exception {
        world.sessions.answers(bound(A, 7, How.CREATED));
        var client = streaming(world.turn());

        worker.first().fail(new UpstreamException(UpstreamFailure.TRUNCATED, url(A), null));
        read(client);
        client.cancel();

        assertThat(world.sessions.told()).endsWith("End a@7 served");
    }

    @Test
    void anAnswerThatHttpHasNoFormForIsABadOneAndHoldsNothing() throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(204, "a body all the same"));

        var response = world.head(world.request());

        assertThat(TurnWorld.summary(response)).isEqualTo("502 bad_response");
        assertThat(world.desk.held()).isEmpty();
        assertThat(world.upstream.call(0).aborted()).isTrue();
    }

    @Test
    void aFaultOfOurOwnInAStreamEndsItsTurn() throws Exception {
        world.desk.whenPrefilled(() -> {
            throw new IllegalStateException("broken");
        });
        var client = streaming();

        send("data: 1\n\n");

        eventually("ended", world.desk::isClean);
        eventually("broken off", client.pull().toCompletableFuture()::isCompletedExceptionally);
    }

    @Nested
    class WhenTheClientDoesNotRead {
        @Test
        void theWorkersLastByteEndsTheTurnOnce() throws Exception {
            world.sessions.answers(bound(A, 7, How.CREATED));
            var response = world.head(world.turn());

            world.upstream.call(0).ends();
            assertThat(world.desk.held()).isEmpty();
            assertThat(world.desk.left()).isEqualTo(1);
            assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End a@7 served");

            send("data: 1\n\n");
            worker.first().complete();
            assertThat(world.body(response)).isEqualTo("data: 1\n\n");
            assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End a@7 served");
            assertThat(world.desk.prefills()).isZero();
        }

        @Test
        void aWorkerThatBreaksOffEndsTheTurnAndIsReportedOnce() throws Exception {
            world.sessions.answers(bound(A, 7, How.CREATED));
            var response = world.head(world.turn());

            world.upstream.call(0).breaksOff();
            assertThat(world.desk.held()).isEmpty();
            assertThat(world.reports()).containsExactly("a ANSWERED", "a BROKE_OFF");

            worker.first().fail(new UpstreamException(UpstreamFailure.TRUNCATED, url(A), null));
            assertThat(read(read(response))).contains("event: error");
            assertThat(world.reports()).containsExactly("a ANSWERED", "a BROKE_OFF");
        }

        @Test
        void anotherWorkersAnswerIsNotEndedByTheOneThatPushedBack() throws Exception {
            world.upstream.at(url(B), FakeUpstream.response(200, worker.second(), EVENTS));
            world.upstream.at(url(A), FakeUpstream.response(503, "busy"));
            var client = streaming();

            world.upstream.call(0).ends();

            assertThat(world.desk.held()).containsExactly(B);
            client.cancel();
            eventually("ended", world.desk::isClean);
        }
    }

    @Nested
    class WhenTheClientLeaves {
        @Test
        void beforeItsWorkerIsSelectedNothingIsCalledAndNobodyTold() throws Exception {
            var open = world.desk.slow();
            var exchange = world.turn();

            exchange.abort();
            open.complete(null);

            world.head(exchange);
            assertThat(world.desk.bookings()).isEqualTo(1);
            assertThat(world.upstream.called()).isEmpty();
            assertThat(world.sessions.told()).isEmpty();
        }

        @Test
        void beforeTheHeadTheCallIsAbortedAndTheActorTold() throws Exception {
            world.sessions.answers(bound(A, 7, How.CREATED));
            var unused = world.upstream.later(url(A));
            var exchange = world.turn();

            exchange.abort();

            world.head(exchange);
            assertThat(world.upstream.call(0).aborted()).isTrue();
            assertThat(world.upstream.called()).hasSize(1);
            assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End a@7");
        }

        @Test
        void inTheMiddleOfAStreamEverythingEndsOnce() throws Exception {
            world.sessions.answers(bound(A, 7, How.CREATED));
            var exchange = world.turn();
            var client = streaming(exchange);
            send("data: 1\n\n");
            read(client);

            exchange.abort();
            exchange.abort();
            client.cancel();

            assertThat(world.upstream.call(0).aborted()).isTrue();
            assertThat(world.sessions.told()).containsExactly("Bind a for 0", "End a@7 served");
        }

        @Test
        void beforeItsAnswerIsReadTheCallIsAborted() throws Exception {
            world.upstream.at(url(A), FakeUpstream.response(200, worker.second(), EVENTS));
            var exchange = world.request();
            world.head(exchange);

            exchange.abort();

            assertThat(world.upstream.call(0).aborted()).isTrue();
        }

        @Test
        void whileAnotherWorkerIsTriedTheFirstAnswerIsLetGoToo() throws Exception {
            world.upstream.at(url(A), FakeUpstream.response(503, "busy"));
            var unused = world.upstream.later(url(B));
            var exchange = world.request();

            exchange.abort();

            world.head(exchange);
            assertThat(world.upstream.call(0).aborted()).isTrue();
            assertThat(world.upstream.call(1).aborted()).isTrue();
        }
    }

    private SinkQueueWithCancel<ByteString> streaming() throws Exception {
        return streaming(world.request());
    }

    /** A client that reads what worker A sends. */
    private SinkQueueWithCancel<ByteString> streaming(Exchange exchange) throws Exception {
        return read(world.head(exchange));
    }

    private static SinkQueueWithCancel<ByteString> read(HttpResponse response) {
        return response.entity().getDataBytes().runWith(Sink.queue(), KIT.system());
    }

    private static String read(SinkQueueWithCancel<ByteString> client) {
        return client.pull().toCompletableFuture().join().orElseThrow().utf8String();
    }

    private void send(String text) {
        worker.first().offer(ByteString.fromString(text));
    }

    @BeforeEach
    void workerAStreams() {
        world.upstream.at(url(A), FakeUpstream.response(200, worker.second(), EVENTS));
    }
}
