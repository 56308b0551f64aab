package io.kvrouter.http.turn;

import static io.kvrouter.http.testing.Eventually.eventually;
import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.C;
import static io.kvrouter.http.turn.TurnWorld.summary;
import static io.kvrouter.http.turn.TurnWorld.url;
import static io.kvrouter.http.upstream.UpstreamFailure.CONNECT_REFUSED;
import static io.kvrouter.http.upstream.UpstreamFailure.FIRST_BYTE_TIMEOUT;
import static io.kvrouter.http.upstream.UpstreamFailure.RESET_BEFORE_HEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.failover.RetrySettings;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamFailure;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a turn may try again, and what it tells of the workers that it met. */
class RetryingTest {
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

    private TurnWorld budget(int reserve) {
        return world.retrying(new RetrySettings(3, 0, reserve, Duration.ZERO, Duration.ofSeconds(30), Duration.ZERO));
    }

    @Test
    void anotherWorkerIsCalledOnTheTurnsLoopWhereverItsBookingCame() throws Exception {
        try (var loop = Executors.newSingleThreadExecutor()) {
            Thread there = loop.submit(Thread::currentThread).get();
            var first = world.on(loop).upstream.later(url(A));
            var exchange = world.request();
            eventually("asked", () -> world.upstream.called().size() == 1);
            var booking = world.desk.slow();
            first.complete(FakeUpstream.response(503, "busy"));

            booking.complete(null);

            assertThat(world.body(world.head(exchange))).isEqualTo("hello");
            assertThat(world.upstream.call(1).caller()).isSameAs(there);
        }
    }

    @Test
    void withoutABudgetTheFirstAnswerPassesUnchanged() throws Exception {
        budget(0).upstream.at(url(A), FakeUpstream.response(503, "busy"));

        var response = world.head(world.request());

        assertThat(summary(response)).isEqualTo("503 selected a");
        assertThat(world.body(response)).isEqualTo("busy");
        assertThat(world.upstream.called()).containsExactly(url(A));
    }

    @Test
    void withoutABudgetAWorkerThatBrokeOffIsA502() throws Exception {
        budget(0).upstream.at(url(A), RESET_BEFORE_HEAD);

        assertThat(summary(world.head(world.request()))).isEqualTo("502 reset_before_head");
    }

    @Test
    void aWorkerThatIsNotThereIsReplacedWhateverTheBudget() throws Exception {
        budget(0).upstream.at(url(A), CONNECT_REFUSED);

        var response = world.head(world.request());

        assertThat(world.body(response)).isEqualTo("hello");
        assertThat(summary(response)).isEqualTo("200 selected b");
    }

    @Test
    void nothingIsBookedWhileTheNextAttemptWaits() throws Exception {
        world.retrying(new RetrySettings(3, 0, 9, Duration.ofSeconds(20), Duration.ZERO, Duration.ZERO));
        world.upstream.at(url(A), FakeUpstream.response(503, "busy"));
        world.upstream.at(url(B), FakeUpstream.response(503, "busy"));
        var exchange = world.request();

        assertThat(world.desk.bookings()).isEqualTo(2);
        exchange.abort();

        assertThat(world.desk.held()).isEmpty();
    }

    @Test
    void aWorkersRestIsTold() throws Exception {
        world.upstream.at(
                url(A),
                FakeUpstream.response(
                        429, Source.single(ByteString.fromString("busy")), new Header("Retry-After", "7")));

        world.body(world.head(world.request()));

        assertThat(world.reports()).containsExactly("a NEUTRAL", "a rests 7", "b ANSWERED");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 413, 422, 429, 503, 529})
    void whatIsNoFaultOfTheWorkerIsNotToldAsOne(int status) throws Exception {
        world.only(A).upstream.at(url(A), FakeUpstream.response(status, "no"));

        world.body(world.head(world.request()));

        assertThat(world.reports()).containsExactly("a NEUTRAL");
    }

    @Test
    void anErrorOfTheWorkersOwnIsToldAndPasses() throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(500, "broken"));

        assertThat(world.body(world.head(world.request()))).isEqualTo("broken");
        assertThat(world.reports()).containsExactly("a FAILED");
    }

    @Test
    void workersThatBreakOffOrAreTooSlowAreTold() throws Exception {
        world.upstream.at(url(A), RESET_BEFORE_HEAD);
        world.upstream.at(url(B), RESET_BEFORE_HEAD);
        world.upstream.at(url(C), FIRST_BYTE_TIMEOUT);

        assertThat(summary(world.head(world.request()))).isEqualTo("502 first_byte_timeout");
        assertThat(world.reports()).containsExactly("a FAILED", "b FAILED", "c FAILED");
    }

    @Test
    void anAnswerThatBreaksOffIsToldAndNeverTriedAgain() throws Exception {
        var broken = new UpstreamException(UpstreamFailure.TRUNCATED, url(A), null);
        world.upstream.at(url(A), FakeUpstream.response(200, Source.failed(broken)));

        var response = world.head(world.request());

        assertThatThrownBy(() -> world.body(response)).hasCause(broken);
        assertThat(world.reports()).containsExactly("a ANSWERED", "a BROKE_OFF");
        assertThat(world.upstream.called()).containsExactly(url(A));
    }
}
