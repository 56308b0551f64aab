package io.kvrouter.kv.index;

import com.carrotsearch.hppc.LongObjectHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prompts in flight on each worker, counted: which of their blocks are held there already. A prompt is a chain of
 * sequence hashes from the root, all of them or a sample that depends on nothing but the chain. Not safe for use by
 * several threads.
 *
 * <p>With each block a worker holds every block before it. So chains are kept as a tree of pieces, each held as a whole
 * by some workers, and a piece needs no count of its prompts, only of what keeps it for a worker: prompts that end with
 * it, and pieces that follow. Holding and releasing touch only what is new or goes.
 */
public final class ActivePrompts {
    private static final int SHARDS = 256; // small tables, since a large one would rehash for milliseconds

    /** Consecutive blocks with the same holders. Where a chain leaves or ends within a piece, the piece is cut. */
    private static final class Piece {
        private static final int WORKER_SHIFT = 32;

        private final long[] chain;
        private int from;
        private final int to;
        private @Nullable Piece parent;

        /** Workers, ascending: the number above 32 bits of what keeps the piece there. */
        private long[] holders;

        private int size;

        Piece(long[] chain, int from, int to, @Nullable Piece parent) {
            this.chain = chain;
            this.from = from;
            this.to = to;
            this.parent = parent;
            this.holders = new long[1];
        }

        /** Becomes the lower part; the upper part, which is returned, is kept by the lower. */
        Piece cut(int length) {
            Piece upper = new Piece(chain, from, from + length, parent);
            upper.size = size;
            upper.holders = new long[size];
            for (int i = 0; i < size; i++) {
                upper.holders[i] = entry(worker(i));
            }
            from += length;
            parent = upper;
            return upper;
        }

        int length() {
            return to - from;
        }

        long head() {
            return chain[from];
        }

        int common(long[] other, int at) {
            int different = Arrays.mismatch(chain, from, to, other, at, other.length);
            return different < 0 ? length() : different;
        }

        private static long entry(int worker) {
            return ((long) worker << WORKER_SHIFT) | 1;
        }

        int worker(int at) {
            return (int) (holders[at] >>> WORKER_SHIFT);
        }

        private int find(int worker) {
            int at = Arrays.binarySearch(holders, 0, size, (long) worker << WORKER_SHIFT);
            int from = -1 - at; // nothing is kept by 0
            return from < size && worker(from) == worker ? from : -1 - from;
        }

        /** Returns whether the worker holds it only now. */
        boolean keep(int worker) {
            int at = find(worker);
            if (at >= 0) {
                holders[at]++;
                return false;
            }
            int to = -1 - at;
            if (size == holders.length) {
                holders = Arrays.copyOf(holders, size * 2);
            }
            System.arraycopy(holders, to, holders, to + 1, size - to);
            holders[to] = entry(worker);
            size++;
            return true;
        }

        /** Returns whether the worker does not hold it any more. */
        boolean letGo(int worker) {
            int at = find(worker);
            if (at < 0) {
                throw notHeld(worker);
            }
            if ((int) --holders[at] != 0) {
                return false;
            }
            System.arraycopy(holders, at + 1, holders, at, size - at - 1);
            size--;
            if (size * 4 < holders.length && size > 0) {
                holders = Arrays.copyOf(holders, size * 2);
            }
            return true;
        }
    }

    private final List<LongObjectHashMap<Piece>> shards = new ArrayList<>(); // pieces by their first block

    public ActivePrompts() {
        for (int i = 0; i < SHARDS; i++) {
            shards.add(new LongObjectHashMap<>(0));
        }
    }

    /**
     * A prompt starts on a worker.
     *
     * @param worker its number, dense: the results are an array by it
     * @param chain sequence hashes from the root; the same may be held several times. Shared: not to be written any more
     * @return how many of the blocks nothing had held there
     */
    public int hold(int worker, long[] chain) {
        Piece last = null;
        for (int at = 0; at < chain.length; ) {
            Piece piece = pieceAt(chain[at]);
            if (piece == null) {
                piece = new Piece(chain, at, chain.length, last);
                put(piece);
            } else {
                int common = piece.common(chain, at);
                if (common < piece.length()) {
                    Piece upper = piece.cut(common);
                    put(upper);
                    put(piece);
                    piece = upper;
                }
            }
            at += piece.length();
            last = piece;
        }
        int fresh = 0;
        for (Piece piece = last; piece != null && piece.keep(worker); piece = piece.parent) {
            fresh += piece.length();
        }
        return fresh;
    }

    /** A prompt that was held, with this very chain, ends. Returns how many of the blocks nothing holds there any more. */
    public int release(int worker, long[] chain) {
        Piece last = null;
        for (int at = 0; at < chain.length; at += last.length()) {
            last = pieceAt(chain[at]);
            if (last == null || at + last.length() > chain.length) {
                throw notHeld(worker);
            }
        }
        int freed = 0;
        for (Piece piece = last; piece != null && piece.letGo(worker); piece = piece.parent) {
            freed += piece.length();
            if (piece.size == 0) {
                drop(piece);
            }
        }
        return freed;
    }

    private static IllegalStateException notHeld(int worker) {
        return new IllegalStateException("released, but not held on worker " + worker);
    }

    /** How many blocks of the chain each worker holds, by its number, as {@link Overlaps#device}. */
    public void overlaps(long[] chain, Overlaps into) {
        into.begin();
        Piece before = null;
        int at = 0;
        while (at < chain.length) {
            Piece piece = pieceAt(chain[at]);
            if (piece == null) {
                break;
            }
            if (before != null && piece.size < before.size) {
                tell(before, at, into);
            }
            before = piece; // workers only leave along a chain: equally many are the same
            int common = piece.common(chain, at);
            at += common;
            if (common < piece.length()) {
                break;
            }
        }
        if (before != null) {
            tell(before, at, into);
        }
    }

    private static void tell(Piece piece, int blocks, Overlaps into) {
        for (int i = 0; i < piece.size; i++) {
            into.hold(piece.worker(i), blocks);
        }
    }

    private @Nullable Piece pieceAt(long head) {
        return shards.get(shardOf(head)).get(head);
    }

    private void put(Piece piece) {
        shards.get(shardOf(piece.head())).put(piece.head(), piece);
    }

    private void drop(Piece piece) {
        LongObjectHashMap<Piece> shard = shards.get(shardOf(piece.head()));
        shard.remove(piece.head());
        if (shard.isEmpty()) {
            shards.set(
                    shardOf(piece.head()),
                    new LongObjectHashMap<>(0)); // the old one keeps the size of its busiest hour
        }
    }

    private static int shardOf(long hash) {
        return (int) (hash >>> 40) & (SHARDS - 1);
    }
}
