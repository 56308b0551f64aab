package io.kvrouter.kv.event;

/** Consecutive blocks of one chain are now in a tier of the engine's cache. Its arrays are not copied. */
public final class BlocksStored implements KvEvent {
    private final long[] hashes;
    private final int[] tokens;
    private final int blockSize;
    private final Lineage lineage;
    private final Placement placement;

    /**
     * @param hashes the engine's own hashes of the blocks, opaque
     * @param tokens token ids of all the blocks, one block after the other
     */
    public BlocksStored(long[] hashes, int[] tokens, int blockSize, Lineage lineage, Placement placement) {
        this.hashes = hashes;
        this.tokens = tokens;
        this.blockSize = blockSize;
        this.lineage = lineage;
        this.placement = placement;
    }

    public long[] hashes() {
        return hashes;
    }

    public int[] tokens() {
        return tokens;
    }

    public int blockSize() {
        return blockSize;
    }

    public Lineage lineage() {
        return lineage;
    }

    public Placement placement() {
        return placement;
    }

    /** Names blocks without their tokens, as offloading tiers do: they can't be keyed. */
    boolean isEmpty() {
        return hashes.length == 0 || tokens.length == 0 || blockSize == 0;
    }

    /** Has as many tokens as its blocks hold. */
    boolean isWhole() {
        return blockSize > 0 && tokens.length == (long) hashes.length * blockSize;
    }
}
