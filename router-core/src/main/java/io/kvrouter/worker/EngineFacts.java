package io.kvrouter.worker;

import java.util.Optional;
import java.util.Set;

/**
 * What is known of an engine: stated by whoever registered it, or asked of the engine itself. Empty = not known.
 *
 * @param models base models that it serves, by the names that requests use
 * @param adapters LoRA adapters that it serves, by the names that requests use
 * @param blockSize tokens in a KV block
 * @param kvBlocks KV blocks that fit into its cache
 * @param ranks data-parallel ranks, each with its own KV cache
 * @param incarnation a value that differs between two lives of the engine, as its process start time in ms
 * @param kvEvents where it publishes its KV events; empty = as this node's settings say
 */
public record EngineFacts(
        Set<String> models,
        Set<String> adapters,
        Optional<Integer> blockSize,
        Optional<Long> kvBlocks,
        Optional<Integer> ranks,
        Optional<Long> incarnation,
        Optional<KvEventEndpoints> kvEvents) {
    /** Nothing is known. */
    public static final EngineFacts UNKNOWN = new EngineFacts(
            Set.of(),
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    public EngineFacts {
        models = Set.copyOf(models);
        adapters = Set.copyOf(adapters);
        requirePositive("block_size", blockSize.map(Integer::longValue));
        requirePositive("kv_blocks", kvBlocks);
        requirePositive("ranks", ranks.map(Integer::longValue));
    }

    private static void requirePositive(String name, Optional<Long> value) {
        if (value.isPresent() && value.get() <= 0) {
            throw new IllegalArgumentException(name + ": " + value.get() + " (expected: > 0)");
        }
    }

    /** These facts, and where they are silent the other ones. */
    public EngineFacts orElse(EngineFacts other) {
        return new EngineFacts(
                models.isEmpty() ? other.models : models,
                adapters.isEmpty() ? other.adapters : adapters,
                blockSize.or(other::blockSize),
                kvBlocks.or(other::kvBlocks),
                ranks.or(other::ranks),
                incarnation.or(other::incarnation),
                kvEvents.or(other::kvEvents));
    }

    /** The same but for the block size. */
    public EngineFacts withBlockSize(Optional<Integer> size) {
        return new EngineFacts(models, adapters, size, kvBlocks, ranks, incarnation, kvEvents);
    }
}
