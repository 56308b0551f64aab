package io.kvrouter.sim.engine;

/** What the engine is asked to do. Text stays outside, so that a recorded trace is a request too. */
public final class EngineRequest {
    private final long id;
    private final Passage passage;

    /** A request under an id that is unique in the life of the engine. */
    public EngineRequest(long id, Passage passage) {
        this.id = id;
        this.passage = passage;
    }

    public long id() {
        return id;
    }

    public int promptTokens() {
        return passage.promptTokens();
    }

    public int outputTokens() {
        return passage.outputTokens();
    }

    /** Prompt and answer together. */
    public long totalTokens() {
        return (long) promptTokens() + outputTokens();
    }

    Passage.Scope scope() {
        return passage.scope();
    }

    /** The name of the block at this place of the sequence; one that no other request has where it is not known. */
    long blockHash(int index) {
        int known = passage.namedBlocks();
        return index < known
                ? passage.blockHash(index)
                : BlockHashes.mix(BlockHashes.mix(BlockHashes.mix(0, id), index), known);
    }

    /** The tokens of consecutive blocks; made from the blocks' names where a trace tells none. */
    int[] blockTokens(int first, int count, int blockSize) {
        if (passage.tokensKnown()) {
            return passage.tokens(first * blockSize, (first + count) * blockSize);
        }
        int[] tokens = new int[count * blockSize];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = (int) (BlockHashes.mix(blockHash(first + i / blockSize), i % blockSize) >>> 33);
        }
        return tokens;
    }
}
