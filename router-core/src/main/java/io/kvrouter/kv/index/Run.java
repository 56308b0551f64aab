package io.kvrouter.kv.index;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Up to {@link #MAX} consecutive blocks of a chain in one piece, and who holds them. Where chains part, a run ends or a
 * child begins; nothing is ever split. Only the first block is found by its hash, the others by their place in the run.
 *
 * <p>Readers see {@link #state} only; the other fields belong to the index's writer.
 */
final class Run {
    static final int MAX = 512;

    /** What the run's objects take of the heap, without what grows: this, its state, the header of the hashes, its id. */
    static final long BYTES = 48 + 32 + 16 + 4;

    /** By a length: the end of the one interval that most runs have. Shared, since there are many. */
    private static final int[][] ONE_END = new int[MAX + 1][];

    static {
        Arrays.setAll(ONE_END, length -> new int[] {length});
    }

    /** What readers see of a run, replaced whole. */
    static final class State {
        /** Sequence hashes. Those below the length never change in this array; what is above is not to be read. */
        final long[] hashes;

        final int length;

        /** Blocks from the end of one interval to the end of the next have the same holders. The last is the length. */
        final int[] ends;

        final HolderSet[] sets;

        State(long[] hashes, int length, int[] ends, HolderSet[] sets) {
            this.hashes = hashes;
            this.length = length;
            this.ends = ends;
            this.sets = sets;
        }

        /** All blocks have the same holders. */
        State(long[] hashes, int length, HolderSet set) {
            this(hashes, length, ONE_END[length], set.alone);
        }

        /** Blocks up to the last that anyone holds. */
        int heldLength() {
            int last = sets.length - 1;
            return sets[last] != HolderSet.EMPTY ? length : last == 0 ? 0 : ends[last - 1];
        }

        long bytes() {
            long intervals = ends.length == 1 ? 0 : 2 * 16 + 8L * ends.length;
            return 8L * hashes.length + intervals;
        }
    }

    final int id;
    final long head;

    /** The run with the block before the first; null where the first is the first of a prompt. */
    final @Nullable Run parent;

    private final short parentOffset;

    /** Runs whose parent this is. They keep it alive, so that from every block the way to the root is known. */
    int children;

    /** So many hashes of the present array were ever published. */
    int written;

    /** Whether it waits to be looked at, for blocks at its end that nobody holds. */
    boolean loose;

    /** The last operation that saw it. */
    int mark;

    volatile State state;

    Run(int id, long head, @Nullable Run parent, int parentOffset, State state) {
        this.id = id;
        this.head = head;
        this.parent = parent;
        this.parentOffset = (short) parentOffset;
        this.state = state;
    }

    int parentOffset() {
        return parentOffset;
    }

    /**
     * Runs by a small number, which is what the caches' maps keep: four bytes that the garbage collector does not follow.
     * The lowest free number is given first, and a thousand free neighbours give their memory back.
     */
    static final class Ids {
        private static final int CHUNK_BITS = 10;
        private static final int CHUNK = 1 << CHUNK_BITS;

        private static final class Chunk {
            final @Nullable Run[] runs = new Run[CHUNK];
            final BitSet taken = new BitSet(CHUNK);
            int live;
        }

        private @Nullable Chunk[] chunks = {};
        private final BitSet full = new BitSet();
        private long live;

        /** Takes a number; {@link #put} must follow. */
        int take() {
            int at = full.nextClearBit(0);
            if (at >= chunks.length) {
                chunks = Arrays.copyOf(chunks, Math.max(4, chunks.length * 2));
            }
            Chunk chunk = chunks[at];
            if (chunk == null) {
                chunk = new Chunk();
                chunks[at] = chunk;
            }
            int slot = chunk.taken.nextClearBit(0);
            chunk.taken.set(slot);
            chunk.live++;
            live++;
            full.set(at, chunk.live == CHUNK);
            return (at << CHUNK_BITS) | slot;
        }

        void put(Run run) {
            chunk(run.id).runs[run.id & (CHUNK - 1)] = run;
        }

        Run get(int id) {
            return Objects.requireNonNull(chunk(id).runs[id & (CHUNK - 1)], "run");
        }

        void free(Run run) {
            int at = run.id >>> CHUNK_BITS;
            Chunk chunk = chunk(run.id);
            chunk.runs[run.id & (CHUNK - 1)] = null;
            chunk.taken.clear(run.id & (CHUNK - 1));
            live--;
            full.clear(at);
            if (--chunk.live == 0) {
                chunks[at] = null;
            }
        }

        long live() {
            return live;
        }

        private Chunk chunk(int id) {
            return Objects.requireNonNull(chunks[id >>> CHUNK_BITS], "chunk");
        }
    }
}
