package io.kvrouter.kv.index;

import org.jspecify.annotations.Nullable;

/** What is known of the workers' caches by their KV events. Safe for use by several threads; nothing blocks. */
public interface KnownCaches {
    /** Nothing is known of any. */
    KnownCaches NONE = new KnownCaches() {
        @Override
        public long version() {
            return 0;
        }

        @Override
        public Sight of(long place) {
            return Sight.NO_EVENTS;
        }
    };

    /** Changes when an answer of {@link #of} does, so that these can be remembered. */
    long version();

    /** How the cache of a place (see {@link io.kvrouter.worker.WorkerKey}) is seen. */
    Sight of(long place);

    /**
     * How a worker rank's cache is seen.
     *
     * @param index where its blocks are found; null without events
     * @param number its number there
     * @param ignored nothing that is remembered of it counts: its blocks are not those of its partition
     */
    record Sight(@Nullable KvIndex index, int number, boolean ignored) {
        /** No events tell of it, or they can't be relied on at the moment. */
        public static final Sight NO_EVENTS = new Sight(null, 0, false);

        /** Whatever would be found of it would be wrong. */
        public static final Sight IGNORED = new Sight(null, 0, true);

        /** Its events tell what it holds. */
        public static Sight live(KvIndex index, int number) {
            return new Sight(index, number, false);
        }
    }
}
