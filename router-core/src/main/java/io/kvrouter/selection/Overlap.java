package io.kvrouter.selection;

/**
 * Full blocks of a prompt, from its start, that a worker's cache holds.
 *
 * @param device on the device
 * @param host beyond those, in host memory
 * @param disk beyond those, on disk
 */
public record Overlap(long device, long host, long disk) {
    public static Overlap onDevice(long blocks) {
        return new Overlap(blocks, 0, 0);
    }
}
