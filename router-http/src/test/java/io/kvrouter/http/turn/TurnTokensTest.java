package io.kvrouter.http.turn;

import static io.kvrouter.http.testing.Eventually.eventually;
import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.header.Header;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.http.upstream.UpstreamFailure;
import io.kvrouter.kv.Prompt;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What a caller is charged for a turn. */
class TurnTokensTest {
    private static final ActorTestKit KIT = ActorTestKit.create();
    private static final Header EVENTS = new Header("Content-Type", "text/event-stream");
    private static final String USAGE = "{\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5}}";

    /** 16 bytes are four tokens, by a guess. */
    private final TurnWorld world = new TurnWorld(KIT.system()).countingTokens();

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    private void runs() throws Exception {
        world.body(world.head(world.request()));
    }

    private long spent() {
        return world.spent().stream().mapToLong(tokens -> tokens).sum();
    }

    @Test
    void isWhatTheEngineTells() throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(200, USAGE));
        runs();

        assertThat(world.spent()).containsExactly(12L);
    }

    @Test
    void isTheSameWhereTheWorkerWasDoneLongBeforeItsClient() throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(200, USAGE));
        var response = world.head(world.request());
        world.upstream.call(0).ends();
        assertThat(world.spent()).isEmpty();

        world.body(response);

        assertThat(world.spent()).containsExactly(12L);
    }

    @Test
    void aClientThatLeavesBeforeItReadsWhatItsWorkerDidPaysForItsPrompt() throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(200, USAGE));
        Exchange turn = world.request();
        world.head(turn);
        world.upstream.call(0).ends();

        turn.abort();

        assertThat(world.spent()).containsExactly(4L);
    }

    @Test
    void isTheSameWhereTheAnswerCameAllAtOnce() throws Exception {
        world.upstream.at(url(A), FakeUpstream.whole(200, USAGE));
        runs();

        assertThat(world.spent()).containsExactly(12L);
    }

    @Test
    void isWhatWasCountedWhereTheEngineTellsNothing() throws Exception {
        world.upstream.at(
                url(A),
                FakeUpstream.response(200, Source.single(ByteString.fromString("data: x\n\n".repeat(37))), EVENTS));
        runs();

        assertThat(spent()).isEqualTo(4 + 37);
    }

    @Test
    void anExactPromptIsChargedWithTheFirstContent() throws Exception {
        world.prompt(TurnPrompt.of(Prompt.ofTokens(new int[7], 7, "", "")));
        world.upstream.at(url(A), FakeUpstream.response(200, USAGE));
        runs();

        assertThat(world.spent()).containsExactly(7L, 5L);
    }

    @Test
    void anErrorIsFree() throws Exception {
        world.upstream.at(url(A), FakeUpstream.response(400, USAGE));
        runs();

        assertThat(world.spent()).isEmpty();
    }

    @Test
    void aWorkerThatDidNotTakeItIsFree() throws Exception {
        world.upstream.at(url(A), UpstreamFailure.CONNECT_FAILED);
        world.upstream.at(url(B), FakeUpstream.response(200, USAGE));
        runs();

        assertThat(world.spent()).containsExactly(12L);
    }

    @Test
    void aClientThatLeavesPaysForItsPromptThoughNothingCame() {
        var never = world.upstream.later(url(A));
        Exchange turn = world.request();
        turn.abort();

        assertThat(spent()).isEqualTo(4);
        assertThat(never).isCompletedExceptionally();
    }

    @Test
    void aClientThatLeavesInTheMiddlePaysForWhatCame() throws Exception {
        var events =
                Source.single(ByteString.fromString("data: x\n\n".repeat(32))).concat(Source.<ByteString>maybe());
        world.upstream.at(url(A), FakeUpstream.response(200, events, EVENTS));
        var client = world.head(world.request()).entity().getDataBytes().runWith(Sink.queue(), KIT.system());
        client.pull().toCompletableFuture().join();
        client.cancel();

        eventually("charged", () -> spent() == 4 + 32);
    }
}
