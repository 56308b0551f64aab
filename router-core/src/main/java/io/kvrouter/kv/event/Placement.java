package io.kvrouter.kv.event;

import io.kvrouter.kv.index.Tier;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where in the engine's memory the blocks of an event are.
 *
 * @param medium the engine's name of the tier; null = the device
 * @param remote the blocks are not with this engine
 * @param group number of the KV cache group; {@link #NO_GROUP} = the engine has one only
 * @param kind attention of the group; null = not told
 */
public record Placement(
        @Nullable String medium,
        boolean remote,
        int group,
        @Nullable String kind) {
    public static final int NO_GROUP = -1;

    /** On the device, in an engine with one group. */
    public static final Placement DEVICE = new Placement(null, false, NO_GROUP, null);

    private static final Set<String> DEVICES = Set.of("GPU", "DEVICE", "HBM", "CUDA");
    private static final Set<String> DISKS = Set.of("DISK", "NVME", "SSD", "STORAGE", "FS");

    /** The tier; empty for one that this router does not count, as a store shared by many engines. */
    public Optional<Tier> tier() {
        if (remote) {
            return Optional.empty();
        }
        String name = medium == null ? "GPU" : medium.toUpperCase(Locale.ROOT);
        if (DEVICES.contains(name)) {
            return Optional.of(Tier.DEVICE);
        }
        if (DISKS.contains(name)) {
            return Optional.of(Tier.DISK);
        }
        return name.startsWith("CPU") || name.startsWith("HOST") ? Optional.of(Tier.HOST) : Optional.empty();
    }
}
