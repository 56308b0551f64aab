package io.kvrouter.http.turn.request;

import io.kvrouter.kv.Prompt;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A turn's prompt, read when it is first wanted and then remembered. To read it takes a while where it must be rendered
 * and tokenized, so a turn whose worker is known goes there first. Safe for use by several threads.
 */
public final class TurnPrompt {
    private final long estimatedTokens;
    private final Supplier<CompletionStage<Prompt>> reader;
    private @Nullable CompletableFuture<Prompt> read;

    private TurnPrompt(long estimatedTokens, Supplier<CompletionStage<Prompt>> reader) {
        this.estimatedTokens = estimatedTokens;
        this.reader = reader;
    }

    /**
     * A prompt that is not read yet.
     *
     * @param bytes of its text, from which its tokens are estimated
     */
    public static TurnPrompt unread(long bytes, Supplier<CompletionStage<Prompt>> reader) {
        return new TurnPrompt(bytes / Prompt.BYTES_PER_TOKEN, reader);
    }

    /** A prompt that is there. */
    public static TurnPrompt of(Prompt prompt) {
        var turn = new TurnPrompt(prompt.tokens(), () -> CompletableFuture.completedStage(prompt));
        turn.read = CompletableFuture.completedFuture(prompt);
        return turn;
    }

    /** Reads it, once. */
    public synchronized CompletionStage<Prompt> read() {
        if (read == null) {
            read = reader.get().toCompletableFuture();
        }
        return read;
    }

    /** The prompt, if it was read. */
    public synchronized Optional<Prompt> known() {
        return read != null && read.isDone() && !read.isCompletedExceptionally()
                ? Optional.of(read.join())
                : Optional.empty();
    }

    /** Its length; an estimate until it is read. */
    public long tokens() {
        return known().map(Prompt::tokens).orElse(estimatedTokens);
    }
}
