package io.kvrouter.kv.event;

import io.kvrouter.kv.index.BlockBatch;

/**
 * Some blocks of a rank on their way to another node: at most about 130 KB.
 *
 * @param salts what the cache salt of each row adds to its seed
 */
public record CacheChunk(BlockBatch blocks, Salts salts) {

    /** A column of salts; most caches have none. */
    public static final class Salts {
        /** No row is salted. */
        public static final Salts NONE = new Salts(new long[0]);

        private final long[] values;

        /** One value a row, or no value at all. Not copied. */
        public Salts(long[] values) {
            this.values = values;
        }

        public boolean isEmpty() {
            return values.length == 0;
        }

        public long of(int row) {
            return values.length == 0 ? 0 : values[row];
        }
    }
}
