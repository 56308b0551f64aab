package io.kvrouter.http.turn.request;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.Prompt;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

class TurnPromptTest {
    private static final Prompt PROMPT = Prompt.ofTokens(new int[40], 40, "", "");

    /** A reader that holds a body. */
    private record Reader(ByteString body) implements Supplier<CompletionStage<Prompt>> {
        @Override
        public CompletionStage<Prompt> get() {
            return CompletableFuture.completedStage(Prompt.ofTokens(new int[body.size()], body.size(), "", ""));
        }
    }

    @Test
    void isReadOnce() {
        var prompt = TurnPrompt.unread(800, new Reader(ByteString.fromArrayUnsafe(new byte[40])));

        assertThat(prompt.tokens()).isEqualTo(200);
        assertThat(prompt.read()).isSameAs(prompt.read());
        assertThat(prompt.tokens()).isEqualTo(40);
    }

    @Test
    void holdsWhatItIsReadFromNoLongerThanThat() throws Exception {
        var reader = new Reader(ByteString.fromArrayUnsafe(new byte[40]));
        var held = new WeakReference<>(reader);
        var prompt = TurnPrompt.unread(800, reader);
        reader = null;

        prompt.read();

        eventually("the reader is gone", () -> {
            System.gc();
            return held.get() == null;
        });
        assertThat(prompt.tokens()).isEqualTo(40);
    }

    @Test
    void keepsItsLengthWhenItIsSettled() {
        var prompt = TurnPrompt.of(PROMPT);

        prompt.settle();

        assertThat(prompt.tokens()).isEqualTo(40);
        assertThat(prompt.known()).hasValueSatisfying(known -> {
            assertThat(known.exact()).isTrue();
            assertThat(known.chain(16).length()).isZero();
        });
    }

    @Test
    void whoeverWaitsForItGetsAllOfItThoughItIsSettledMeanwhile() {
        var reading = new CompletableFuture<Prompt>();
        var prompt = TurnPrompt.unread(800, () -> reading);
        var read = prompt.read().toCompletableFuture();

        prompt.settle();
        reading.complete(PROMPT);

        assertThat(read).isCompletedWithValue(PROMPT);
        assertThat(prompt.tokens()).isEqualTo(40);
    }

    @Test
    void mayBeReadAfterItIsSettled() {
        var prompt = TurnPrompt.unread(800, () -> CompletableFuture.completedStage(PROMPT));

        prompt.settle();

        assertThat(prompt.read().toCompletableFuture()).isCompletedWithValue(PROMPT);
    }
}
