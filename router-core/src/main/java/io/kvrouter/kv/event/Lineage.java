package io.kvrouter.kv.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the blocks of an event descend from, and what keeps them apart from blocks of the same tokens.
 *
 * @param parent the engine's hash of the block before the first; null = the first starts a prompt
 * @param adapter name of the LoRA adapter; empty = the base model
 * @param keys the extra keys of each block, null for a block without; empty = no block has any
 */
public record Lineage(@Nullable Long parent, String adapter, List<@Nullable BlockKeys> keys) {
    /** Starts a prompt of the base model. */
    public static final Lineage ROOT = new Lineage(null, "", List.of());

    /**
     * The name that an adapter goes by. Some engines tell an id only, a number or a text: its blocks must not pass for
     * the base model's, so that it gets a name that no request can have. Numbers start at 1.
     */
    public static String adapter(@Nullable String name, @Nullable String id) {
        if (name != null && !name.isEmpty()) {
            return name;
        }
        return id == null || id.isEmpty() || id.equals("0") || id.startsWith("-") ? "" : "\0" + id;
    }

    /** The keys of a block; null where it has none. */
    @Nullable
    BlockKeys keys(int block) {
        return block < keys.size() ? keys.get(block) : null;
    }
}
