package io.kvrouter.sim.engine;

import com.carrotsearch.hppc.LongArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A change of the prefix cache, as an engine tells it to the outside. Blocks go by published names: random numbers, new
 * each time a block is stored, so that nobody can know a block but by its tokens.
 */
public sealed interface KvEvent {
    /** The blocks meant, in the order of their sequence or of their eviction. */
    long[] blocks();

    /** Hears of the changes once at the end of each step that has some. */
    @FunctionalInterface
    interface Listener {
        /**
         * A step changed the cache.
         *
         * @param atMs end of the step on the driver's clock
         * @param events in order, evictions before what took their place; never empty
         */
        void changed(double atMs, List<KvEvent> events);
    }

    /** Consecutive blocks of one sequence can be found from now on. */
    final class Stored implements KvEvent {
        private final EngineRequest request;
        private final int first;
        private final OptionalLong parent;
        private final LongArrayList blocks = new LongArrayList();

        Stored(EngineRequest request, int first, OptionalLong parent) {
            this.request = request;
            this.first = first;
            this.parent = parent;
        }

        /** Takes the block at this place of a request's sequence, if it is the next one. */
        boolean append(EngineRequest of, int index, long name) {
            boolean next = of == request && index == first + blocks.size();
            if (next) {
                blocks.add(name);
            }
            return next;
        }

        @Override
        public long[] blocks() {
            return blocks.toArray();
        }

        /** The block before the first one; none at the start of a sequence. */
        public OptionalLong parent() {
            return parent;
        }

        /** The tokens of all the blocks. */
        public int[] tokens(int blockSize) {
            return request.blockTokens(first, blocks.size(), blockSize);
        }

        public Passage.Scope scope() {
            return request.scope();
        }
    }

    /** Blocks were evicted. */
    final class Removed implements KvEvent {
        private final LongArrayList blocks = new LongArrayList();

        void append(long name) {
            blocks.add(name);
        }

        @Override
        public long[] blocks() {
            return blocks.toArray();
        }
    }
}
