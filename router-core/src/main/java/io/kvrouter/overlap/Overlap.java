package io.kvrouter.overlap;

/**
 * Full blocks of a prompt, from its start, that a worker's cache holds.
 *
 * @param device on the device
 * @param host beyond those, in host memory
 * @param disk beyond those, on disk
 */
public record Overlap(long device, long host, long disk) {
    /** Nothing of it. */
    public static final Overlap NONE = onDevice(0);

    public static Overlap onDevice(long blocks) {
        return new Overlap(blocks, 0, 0);
    }

    /** Prompt tokens that an engine finds: it always computes the last one. */
    public long tokens(int blockSize, long promptTokens) {
        long findable = Math.max(0, promptTokens - 1) / blockSize;
        return Math.min(device + host + disk, findable) * blockSize;
    }
}
