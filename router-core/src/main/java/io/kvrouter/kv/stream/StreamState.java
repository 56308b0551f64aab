package io.kvrouter.kv.stream;

import java.util.Locale;

/** How far what the index holds of a rank can be trusted. */
public enum StreamState {
    /** Every block of the rank, as of its last batch. */
    LIVE,
    /** Earlier batches are being read again: blocks are missing. */
    SYNCING,
    /** Batches are lost for good. What is there is right, but not all: until the engine resets or restarts. */
    SUSPECT,
    /** The engine should publish, but nothing was ever heard of it. */
    SILENT,
    /** The engine's blocks have another size than the partition's: nothing of it is in the index. */
    WRONG_BLOCK_SIZE;

    /** As the operator reads it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
