package io.kvrouter.http.openai;

import java.util.List;

/**
 * What a request asks of a worker, as far as routing must know.
 *
 * @param work what the worker does for it
 * @param before fields of the body that the engine's prompt begins with, in its order; any may be missing
 * @param content the field with the rest of the prompt, by its names; a body has one of them
 * @param dialect of its clients
 * @param chat its prompt can be made into the engine's tokens: a chat template's messages, or one text
 */
public record Operation(Work work, List<String> before, List<String> content, Dialect dialect, boolean chat) {
    /** What a worker does for a request. */
    public enum Work {
        /** Makes tokens: a turn of a session, if the request names one. */
        GENERATES,
        /** Reads a prompt: its load and its overlap count, but it is no session's turn. */
        READS,
        /** Anything else: counts as a request, goes to the worker with the least load. */
        ASKS
    }

    /** {@code /v1/chat/completions}. */
    public static final Operation CHAT =
            new Operation(Work.GENERATES, List.of("tools"), List.of("messages"), Dialect.OPENAI, true);

    /** {@code /v1/completions}. */
    public static final Operation COMPLETION =
            new Operation(Work.GENERATES, List.of(), List.of("prompt"), Dialect.OPENAI, true);

    /** A chat or a completion, where no path says which. */
    public static final Operation CHAT_OR_COMPLETION =
            new Operation(Work.GENERATES, List.of("tools"), List.of("messages", "prompt"), Dialect.OPENAI, true);

    /** {@code /v1/responses}. */
    public static final Operation RESPONSE =
            new Operation(Work.GENERATES, List.of("tools", "instructions"), List.of("input"), Dialect.OPENAI, false);

    /** Anthropic's {@code /v1/messages}. */
    public static final Operation MESSAGE =
            new Operation(Work.GENERATES, List.of("tools", "system"), List.of("messages"), Dialect.ANTHROPIC, false);

    /** {@code /v1/embeddings}. */
    public static final Operation EMBEDDING =
            new Operation(Work.READS, List.of(), List.of("input", "messages"), Dialect.OPENAI, false);

    /** {@code /v1/rerank}. */
    public static final Operation RERANK =
            new Operation(Work.READS, List.of("query"), List.of("documents"), Dialect.OPENAI, false);

    /** {@code /v1/score}, in all spellings of its two sides. */
    public static final Operation SCORE = new Operation(
            Work.READS,
            List.of("text_1", "queries", "data_1"),
            List.of("text_2", "documents", "items", "data_2"),
            Dialect.OPENAI,
            false);

    /** What no more is known of than that a worker answers it. */
    public static final Operation QUESTION = ask(Dialect.OPENAI);

    /** The same of Anthropic's protocol. */
    public static final Operation ANTHROPIC_QUESTION = ask(Dialect.ANTHROPIC);

    private static Operation ask(Dialect dialect) {
        return new Operation(Work.ASKS, List.of(), List.of(), dialect, false);
    }
}
