package io.kvrouter.http.turn;

import static io.kvrouter.http.testing.Eventually.eventually;
import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.bound;
import static io.kvrouter.http.turn.TurnWorld.summary;
import static io.kvrouter.http.turn.TurnWorld.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.failover.RetrySettings;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.session.Answer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests whose first byte is late: A is the worker that they go to first. */
@SuppressWarnings("FutureReturnValueIgnored") // what answers later is asked for where it matters
class HedgeTest {
    private static final ActorTestKit KIT = ActorTestKit.create();

    private final TurnWorld world = new TurnWorld(KIT.system()).retrying(hedging(Duration.ofMillis(20), 9));

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @AfterEach
    void everyBookingHasEndedOnce() throws Exception {
        eventually("all ended", world.desk::isClean);
    }

    private static RetrySettings hedging(Duration after, int reserve) {
        return new RetrySettings(3, 0, reserve, Duration.ZERO, Duration.ZERO, after);
    }

    private void assertAnsweredBy(String worker, Exchange exchange) throws Exception {
        var response = world.head(exchange);
        assertThat(summary(response)).isEqualTo("200 selected " + worker);
        assertThat(world.body(response)).isEqualTo("hello");
    }

    @Test
    void anotherWorkerAnswersAndTheSlowOnesCallIsReset() throws Exception {
        world.upstream.later(url(A));

        assertAnsweredBy("b", world.request());

        assertThat(world.upstream.called()).containsExactly(url(A), url(B));
        eventually("reset", () -> world.upstream.call(0).aborted());
    }

    @Test
    void aHeadIsNoFirstByte() throws Exception {
        world.upstream.headOnlyAt(url(A));

        assertAnsweredBy("b", world.request());
    }

    @Test
    void theAnswerThatBeginsIsPassedOnAsItComes() throws Exception {
        var runs = new AtomicInteger();
        Source<ByteString, NotUsed> body = Source.lazySource(() -> {
                    runs.incrementAndGet();
                    return Source.single(ByteString.fromString("hello"));
                })
                .mapMaterializedValue(unused -> NotUsed.getInstance());
        world.upstream.at(url(A), FakeUpstream.response(200, body));

        var response = world.head(world.request());
        assertThat(runs).as("streams run to see whether it begins").hasValue(0);

        assertThat(world.body(response)).isEqualTo("hello");
    }

    @Test
    void theSlowOneIsPassedOnIfItIsFirstAllTheSame() throws Exception {
        var slow = world.upstream.later(url(A));
        world.upstream.later(url(B));
        var exchange = world.request();
        eventually("hedged", () -> world.upstream.called().size() == 2);

        slow.complete(FakeUpstream.response(200, "hello"));

        assertAnsweredBy("a", exchange);
        eventually("reset", () -> world.upstream.call(1).aborted());
    }

    @Test
    void anErrorOfTheSecondWorkerIsNoAnswer() throws Exception {
        var slow = world.upstream.later(url(A));
        world.upstream.at(url(B), FakeUpstream.response(500, "broken"));
        var exchange = world.request();
        eventually("answered", () -> world.reports().contains("b FAILED"));

        slow.complete(FakeUpstream.response(200, "hello"));

        assertAnsweredBy("a", exchange);
    }

    @Test
    void whenBothFailTheFirstFailureIsTheAnswer() throws Exception {
        var slow = world.upstream.later(url(A));
        world.upstream.at(url(B), FakeUpstream.response(500, "broken"));
        var exchange = world.request();
        eventually("answered", () -> world.reports().contains("b FAILED"));

        slow.completeExceptionally(new UpstreamException(UpstreamFailure.FIRST_BYTE_TIMEOUT, url(A), null));

        assertThat(summary(world.head(exchange))).isEqualTo("502 first_byte_timeout");
    }

    @Test
    void noSecondWorkerIsAskedForASessionOrWithoutABudgetOrWhereThereIsNone() throws Exception {
        world.sessions.answers(bound(A, 1, Answer.How.CREATED));
        var slow = world.upstream.later(url(A));
        var session = world.turn();
        var unbudgeted = world.retrying(hedging(Duration.ofMillis(20), 0)).request();
        var alone = world.retrying(hedging(Duration.ofMillis(20), 9)).only(A).request();

        assertThat(session.response().toCompletableFuture().isDone()).isFalse();
        Thread.sleep(200); // that nothing comes of it
        slow.complete(FakeUpstream.response(200, "hello"));

        assertThat(world.body(world.head(session))).isEqualTo("hello");
        assertAnsweredBy("a", unbudgeted);
        assertAnsweredBy("a", alone);
        assertThat(world.upstream.called()).containsOnly(url(A));
    }

    @Test
    void aClientThatLeavesEndsBoth() throws Exception {
        world.upstream.later(url(A));
        world.upstream.later(url(B));
        var exchange = world.request();
        eventually("hedged", () -> world.upstream.called().size() == 2);

        exchange.abort();

        assertThat(world.desk.held()).isEmpty();
        assertThat(world.upstream.call(0).aborted()).isTrue();
        assertThat(world.upstream.call(1).aborted()).isTrue();
    }
}
