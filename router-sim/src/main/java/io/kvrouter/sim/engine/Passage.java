package io.kvrouter.sim.engine;

import java.util.Arrays;

/**
 * A prompt and the answer it will get: their lengths, the names of their full blocks, and their tokens where they are
 * known. Immutable; several samples of a prompt share it.
 */
public final class Passage {
    private static final int[] UNKNOWN = {};

    /**
     * What keeps equal tokens apart in the prefix cache.
     *
     * @param adapter name of the adapter that the prompt is for; empty for the model itself
     * @param salt the request's cache salt; empty for none
     */
    public record Scope(String adapter, String salt) {
        /** The model itself, without salt. */
        public static final Scope COMMON = new Scope("", "");
    }

    private final Scope scope;
    private final int promptTokens;
    private final int outputTokens;
    private final long[] blockHashes;
    private final int[] tokens;

    private Passage(Scope scope, int promptTokens, int outputTokens, long[] blockHashes, int[] tokens) {
        if (promptTokens < 1 || outputTokens < 1) {
            throw new IllegalArgumentException(
                    "request: " + promptTokens + " prompt, " + outputTokens + " output tokens (expected: >= 1)");
        }
        this.scope = scope;
        this.promptTokens = promptTokens;
        this.outputTokens = outputTokens;
        this.blockHashes = blockHashes;
        this.tokens = tokens;
    }

    public static Passage ofTokens(Scope scope, int[] prompt, int[] answer, int blockSize) {
        int[] tokens = new int[prompt.length + answer.length];
        System.arraycopy(prompt, 0, tokens, 0, prompt.length);
        System.arraycopy(answer, 0, tokens, prompt.length, answer.length);
        long[] hashes = BlockHashes.chain(tokens, blockSize, BlockHashes.seed(scope.adapter(), scope.salt()));
        return new Passage(scope, prompt.length, answer.length, hashes, tokens);
    }

    /**
     * A passage of a recorded trace, which tells no tokens.
     *
     * @param blockHashes of the full blocks from the start on, chained on the parent; those beyond are nobody else's
     */
    public static Passage ofTrace(int promptTokens, long[] blockHashes, int outputTokens) {
        return new Passage(Scope.COMMON, promptTokens, outputTokens, blockHashes.clone(), UNKNOWN);
    }

    Scope scope() {
        return scope;
    }

    int promptTokens() {
        return promptTokens;
    }

    int outputTokens() {
        return outputTokens;
    }

    /** Blocks whose names are known. */
    int namedBlocks() {
        return blockHashes.length;
    }

    long blockHash(int index) {
        return blockHashes[index];
    }

    boolean tokensKnown() {
        return tokens.length > 0;
    }

    /** Known tokens of the passage, from the first position to before the second. */
    int[] tokens(int from, int to) {
        return Arrays.copyOfRange(tokens, from, to);
    }
}
