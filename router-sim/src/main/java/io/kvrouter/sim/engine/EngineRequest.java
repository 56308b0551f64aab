package io.kvrouter.sim.engine;

/**
 * What the engine is asked to do: a prompt, known by its length and its block hashes, and an answer of given length.
 * Text and tokens stay outside, so that a recorded trace is a request too.
 */
public final class EngineRequest {
    private final long id;
    private final int promptTokens;
    private final long[] blockHashes;
    private final int outputTokens;

    /**
     * @param id unique in the life of the engine
     * @param blockHashes hashes of the full blocks from the start of the prompt on, chained on the parent. May go on
     *     into the answer where its tokens are known; blocks beyond get hashes that no other request has
     */
    public EngineRequest(long id, int promptTokens, long[] blockHashes, int outputTokens) {
        if (promptTokens < 1 || outputTokens < 1) {
            throw new IllegalArgumentException(
                    "request: " + promptTokens + " prompt, " + outputTokens + " output tokens (expected: >= 1)");
        }
        this.id = id;
        this.promptTokens = promptTokens;
        this.blockHashes = blockHashes.clone();
        this.outputTokens = outputTokens;
    }

    public long id() {
        return id;
    }

    public int promptTokens() {
        return promptTokens;
    }

    public int outputTokens() {
        return outputTokens;
    }

    /** Prompt and answer together. */
    public long totalTokens() {
        return (long) promptTokens + outputTokens;
    }

    /** The name of the block at this place of the sequence. */
    long blockHash(int index) {
        return index < blockHashes.length
                ? blockHashes[index]
                : BlockHashes.mix(BlockHashes.mix(BlockHashes.mix(0, id), index), blockHashes.length);
    }
}
