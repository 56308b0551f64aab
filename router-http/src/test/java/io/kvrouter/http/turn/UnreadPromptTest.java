package io.kvrouter.http.turn;

import static io.kvrouter.http.turn.TurnWorld.A;
import static io.kvrouter.http.turn.TurnWorld.B;
import static io.kvrouter.http.turn.TurnWorld.summary;
import static io.kvrouter.http.turn.TurnWorld.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.kv.Prompt;
import io.kvrouter.session.Answer;
import io.kvrouter.session.Binding;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A prompt that takes a while to read: a turn that knows its worker does not wait for it. */
class UnreadPromptTest {
    private static final ActorTestKit KIT = ActorTestKit.create();
    private static final int BYTES = 800; // 200 tokens, by estimate
    private static final String USAGE = "{\"usage\":{\"prompt_tokens_details\":{\"cached_tokens\": 48}}}";

    private final TurnWorld world = new TurnWorld(KIT.system());
    private final CompletableFuture<Prompt> prompt = new CompletableFuture<>();
    private final AtomicInteger reads = new AtomicInteger();

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @BeforeEach
    void unread() {
        world.prompt(TurnPrompt.unread(BYTES, () -> {
            reads.incrementAndGet();
            return prompt;
        }));
    }

    @AfterEach
    void everyBookingHasEndedOnce() {
        assertThat(world.desk.isClean()).isTrue();
    }

    private void theSessionIsAtBWithContext(long tokens) {
        world.sessions.replica(7, B);
        world.sessions.answers(new Answer.Bound(new Binding(B, 0, 7), tokens, Answer.How.FOLLOWED));
    }

    private void read(int tokens) {
        prompt.complete(Prompt.ofTokens(new int[tokens], tokens, "", ""));
    }

    @Test
    void aPinnedTurnGoesFirstAndIsReadBeside() throws Exception {
        theSessionIsAtBWithContext(150);

        var response = world.head(world.turn());

        assertThat(summary(response)).isEqualTo("200 pinned b");
        assertThat(reads).hasValue(1);
        assertThat(world.desk.corrections()).containsExactly("reserve 200+0", "estimate 150+50");
        read(190);
        assertThat(world.desk.corrections()).endsWith("correct 190, context 150");
        world.body(response);
    }

    @Test
    void whatIsReadAfterTheEndCorrectsNothing() throws Exception {
        theSessionIsAtBWithContext(150);
        world.body(world.head(world.turn()));

        read(190);

        assertThat(world.desk.corrections()).hasSize(2);
        assertThat(world.sessions.end().contextTokens()).isEqualTo(200);
    }

    @Test
    void aTurnThatMustBeSelectedWaitsForItsPrompt() throws Exception {
        var turn = world.request();
        assertThat(world.desk.selections()).isZero();

        read(190);
        var response = world.head(turn);
        world.body(response);

        assertThat(summary(response)).isEqualTo("200 selected a");
        assertThat(world.desk.corrections()).isEmpty();
    }

    @Test
    void aPinnedTurnWhoseWorkerPushesBackIsReadThen() throws Exception {
        theSessionIsAtBWithContext(150);
        world.upstream.at(url(B), FakeUpstream.response(503, "busy"));

        var turn = world.turn();
        read(190);
        var response = world.head(turn);
        world.body(response);

        assertThat(summary(response)).isEqualTo("200 detoured a");
        assertThat(reads).hasValue(1);
    }

    @Test
    void whatTheEngineFoundCachedIsComparedWithThePrediction() throws Exception {
        theSessionIsAtBWithContext(150);
        world.upstream.at(url(B), FakeUpstream.response(200, USAGE));
        var response = world.head(world.turn());
        read(190);

        world.body(response);

        assertThat(world.comparisons()).containsExactly("48 of 48");
    }

    @Test
    void anAnswerWithoutUsageIsNotCompared() throws Exception {
        read(190);

        world.body(world.head(world.request()));

        assertThat(world.comparisons()).isEmpty();
    }

    @Test
    void aSelectedTurnIsComparedWithItsOverlap() throws Exception {
        read(190);
        world.upstream.at(url(A), FakeUpstream.response(200, USAGE));

        world.body(world.head(world.request()));

        assertThat(world.comparisons()).containsExactly("0 of 48");
    }
}
