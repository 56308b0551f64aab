package io.kvrouter.kv.event;

/**
 * What became of a rank's events since its stream was opened.
 *
 * @param applied events that changed the index, or confirmed it
 * @param malformed events and batches that could not be read
 * @param ignored events that say nothing for the index: other groups, other places, no tokens, unknown types
 * @param unknownParents stores whose parent is not known: an event before was lost
 * @param wrongBlockSize stores with another block size than the partition's
 * @param refusedBlocks blocks that the index had no room for
 * @param unknownBlocks blocks removed that were not there
 */
public record EventCounts(
        long applied,
        long malformed,
        long ignored,
        long unknownParents,
        long wrongBlockSize,
        long refusedBlocks,
        long unknownBlocks) {
    /** Before the first event. */
    public static final EventCounts NONE = new EventCounts(0, 0, 0, 0, 0, 0, 0);
}
