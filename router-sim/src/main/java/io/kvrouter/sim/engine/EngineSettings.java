package io.kvrouter.sim.engine;

/**
 * Sizes and speed of one simulated engine.
 *
 * @param kvBlocks blocks in the pool
 * @param blockSize tokens a block
 * @param maxSequences sequences that run at once
 * @param maxStepTokens tokens that one step may compute, decode and prefill together
 * @param slow divides the prefill speed: 1 is about 48,000 tokens/s, 4 about 12,000 (a 70B-class model)
 * @param speedup divides all step times, so that tests and demos need not wait
 */
public record EngineSettings(
        int kvBlocks, int blockSize, int maxSequences, int maxStepTokens, double slow, double speedup) {
    /** 1.05 million tokens of KV cache, real time. */
    public static final EngineSettings DEFAULT = new EngineSettings(16_384, 64, 256, 8_192, 1, 1);

    public EngineSettings {
        atLeastOne("kv blocks", kvBlocks);
        atLeastOne("block size", blockSize);
        atLeastOne("sequences", maxSequences);
        if (maxStepTokens < maxSequences) {
            throw new IllegalArgumentException(
                    "step tokens: " + maxStepTokens + " (expected: at least one a sequence, " + maxSequences + ")");
        }
        positive("slow", slow);
        positive("speedup", speedup);
    }

    /** The same engine with another pool. */
    public EngineSettings withPool(int blocks, int tokensPerBlock) {
        return new EngineSettings(blocks, tokensPerBlock, maxSequences, maxStepTokens, slow, speedup);
    }

    /** The same engine at another speed. */
    public EngineSettings withSpeed(double newSlow, double newSpeedup) {
        return new EngineSettings(kvBlocks, blockSize, maxSequences, maxStepTokens, newSlow, newSpeedup);
    }

    /** Tokens that the pool holds: no sequence, prompt and answer together, can be longer. */
    public long capacityTokens() {
        return (long) kvBlocks * blockSize;
    }

    static double positive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
        return value;
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
        }
    }
}
