package io.kvrouter.kv.event;

/** Blocks left a tier of the engine's cache. Its array is not copied. */
public final class BlocksRemoved implements KvEvent {
    private final long[] hashes;
    private final Placement placement;

    public BlocksRemoved(long[] hashes, Placement placement) {
        this.hashes = hashes;
        this.placement = placement;
    }

    public long[] hashes() {
        return hashes;
    }

    public Placement placement() {
        return placement;
    }
}
