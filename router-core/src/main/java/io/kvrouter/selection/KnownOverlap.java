package io.kvrouter.selection;

/** What is known of the KV caches: how many blocks of a chain, from its start, the place at a roster index holds. */
@FunctionalInterface
public interface KnownOverlap {
    int blocks(int index, long[] chain);
}
