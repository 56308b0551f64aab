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
 * @param tokenScale tokens of the modelled engine for which each one here stands; sizes above are in tokens here
 */
public record EngineSettings(
        int kvBlocks, int blockSize, int maxSequences, int maxStepTokens, double slow, double speedup, int tokenScale) {
    /** 1.05 million tokens of KV cache, real time. */
    public static final EngineSettings DEFAULT = new EngineSettings(16_384, 64, 256, 8_192, 1, 1, 1);

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
        atLeastOne("token scale", tokenScale);
    }

    /** The same engine with another pool. */
    public EngineSettings withPool(int blocks, int tokensPerBlock) {
        return new EngineSettings(blocks, tokensPerBlock, maxSequences, maxStepTokens, slow, speedup, tokenScale);
    }

    /** The same engine for another number of sequences at once. */
    public EngineSettings withSequences(int sequences) {
        return new EngineSettings(kvBlocks, blockSize, sequences, maxStepTokens, slow, speedup, tokenScale);
    }

    /** The same engine at another speed. */
    public EngineSettings withSpeed(double newSlow, double newSpeedup) {
        return new EngineSettings(kvBlocks, blockSize, maxSequences, maxStepTokens, newSlow, newSpeedup, tokenScale);
    }

    /**
     * The same engine for shorter prompts and answers: as many blocks of so much fewer tokens, each of which takes the
     * time of so many. Work, hits and evictions in blocks stay what they were. A step makes one token for each sequence
     * and so takes the time of several decode steps, for which a prompt that comes meanwhile waits.
     */
    public EngineSettings withTokenScale(int scale) {
        if (scale < 1 || blockSize % scale != 0 || maxStepTokens / scale < 1) {
            throw new IllegalArgumentException(
                    "token scale: " + scale + " (expected: a divisor of the block size, " + blockSize + ")");
        }
        int stepTokens = maxStepTokens / scale;
        return new EngineSettings(
                kvBlocks, blockSize / scale, Math.min(maxSequences, stepTokens), stepTokens, slow, speedup, scale);
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
