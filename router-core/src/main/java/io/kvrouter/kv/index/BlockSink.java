package io.kvrouter.kv.index;

/** Takes a cache's blocks on their way to another node, parents before children, a batch at a time. */
@FunctionalInterface
public interface BlockSink {
    void take(BlockBatch batch);
}
