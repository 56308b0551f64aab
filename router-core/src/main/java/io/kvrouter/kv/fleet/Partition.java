package io.kvrouter.kv.fleet;

import io.kvrouter.kv.index.KvIndex;

/**
 * The index of the workers whose blocks can be equal.
 *
 * @param blockSize tokens in each of its blocks
 */
public record Partition(PartitionKey key, int blockSize, KvIndex index) {}
