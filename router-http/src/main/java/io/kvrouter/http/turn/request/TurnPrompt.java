package io.kvrouter.http.turn.request;

import io.kvrouter.kv.Prompt;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A turn's prompt, read when it is first wanted and then remembered. To read it takes a while where it must be rendered
 * and tokenized, so a turn whose worker is known goes there first. Safe for use by several threads.
 *
 * <p>It lives as long as the turn, minutes perhaps, and so holds what it was read from until it is read, and what it says
 * until nobody asks for that.
 */
public final class TurnPrompt {
    private final long estimatedTokens;
    private @Nullable Supplier<CompletionStage<Prompt>> reader; // until it is called
    private @Nullable CompletableFuture<Prompt> read; // from then on

    private TurnPrompt(
            long estimatedTokens,
            @Nullable Supplier<CompletionStage<Prompt>> reader,
            @Nullable CompletableFuture<Prompt> read) {
        this.estimatedTokens = estimatedTokens;
        this.reader = reader;
        this.read = read;
    }

    /**
     * A prompt that is not read yet.
     *
     * @param bytes of its text, from which its tokens are estimated
     */
    public static TurnPrompt unread(long bytes, Supplier<CompletionStage<Prompt>> reader) {
        return new TurnPrompt(Prompt.tokensOf(bytes), reader, null);
    }

    /** A prompt that is there. */
    public static TurnPrompt of(Prompt prompt) {
        return new TurnPrompt(prompt.tokens(), null, CompletableFuture.completedFuture(prompt));
    }

    /** Reads it, once. */
    public synchronized CompletionStage<Prompt> read() {
        if (reader != null) {
            read = reader.get().toCompletableFuture();
            reader = null;
        }
        return Objects.requireNonNull(read);
    }

    /** Nobody places anything by it any more: of a prompt that was read, or is being read, only the length stays. */
    public synchronized void settle() {
        if (read != null) {
            read = read.thenApply(Prompt::lengthOnly);
        }
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
