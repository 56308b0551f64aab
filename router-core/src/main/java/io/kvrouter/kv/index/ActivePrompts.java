package io.kvrouter.kv.index;

import com.carrotsearch.hppc.LongObjectHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The prompts in flight on each worker, counted: which of their blocks are held there already. A prompt is a chain of
 * sequence hashes from the root, all or a sample of them. Not safe for use by several threads.
 *
 * <p>With each block a worker holds every block before it. So a block needs no count of its prompts, only of what keeps
 * it: prompts that end there, and blocks that follow. Holding and releasing then touch only what is new or goes. And
 * along a chain workers only leave: where two blocks have equally many, they have the same.
 */
public final class ActivePrompts {
    private static final int SHARDS = 256; // small tables, since one of half a million would rehash for 20 ms

    /** A block and the workers that hold it, ascending: the number above 32 bits of what keeps it there. */
    private static final class Block {
        private static final int WORKER_SHIFT = 32;

        private long[] holders = new long[1];
        private int size;

        private int find(int worker) {
            if (size == 0) {
                return -1;
            }
            int at = Arrays.binarySearch(holders, 0, size, (long) worker << WORKER_SHIFT);
            int from = -1 - at; // nothing is kept by 0
            return from < size && worker(from) == worker ? from : -1 - from;
        }

        int worker(int at) {
            return (int) (holders[at] >>> WORKER_SHIFT);
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
            holders[to] = ((long) worker << WORKER_SHIFT) | 1;
            size++;
            return true;
        }

        /** Returns whether the worker does not hold it any more. */
        boolean letGo(int worker) {
            int at = find(worker);
            if (at < 0) {
                throw new IllegalStateException("released, but not held on worker " + worker);
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

    private final List<LongObjectHashMap<Block>> shards = new ArrayList<>();

    public ActivePrompts() {
        for (int i = 0; i < SHARDS; i++) {
            shards.add(new LongObjectHashMap<>(0));
        }
    }

    /**
     * A prompt starts on a worker.
     *
     * @param worker its number, dense: the results are an array by it
     * @param chain sequence hashes from the root; the same may be held several times
     * @return how many of the blocks nothing had held there
     */
    public int hold(int worker, long[] chain) {
        int fresh = 0;
        for (int i = chain.length - 1; i >= 0; i--) {
            if (!blockOf(chain[i]).keep(worker)) {
                break;
            }
            fresh++;
        }
        return fresh;
    }

    /** A prompt that was held, with this very chain, ends. Returns how many of the blocks nothing holds there any more. */
    public int release(int worker, long[] chain) {
        int freed = 0;
        for (int i = chain.length - 1; i >= 0; i--) {
            if (!letGo(worker, chain[i])) {
                break;
            }
            freed++;
        }
        return freed;
    }

    /** How many blocks of the chain each worker holds, by its number, as {@link Overlaps#device}. */
    public void overlaps(long[] chain, Overlaps into) {
        into.begin();
        int at = 0;
        for (int holders = sizeAt(chain, 0); holders > 0; holders = sizeAt(chain, at)) {
            Block block = blockOf(chain[at]);
            int end = endOfEqual(chain, at, holders);
            for (int i = 0; i < holders; i++) {
                into.hold(block.worker(i), at == 0, end);
            }
            at = end;
        }
    }

    private int endOfEqual(long[] chain, int from, int holders) {
        int equal = from; // the last block that is known to have as many
        int step = 1;
        while (sizeAt(chain, equal + step) == holders) {
            equal += step;
            step <<= 1;
        }
        int other = equal + step; // one that has fewer
        while (equal + 1 < other) {
            int middle = (equal + other) >>> 1;
            if (sizeAt(chain, middle) == holders) {
                equal = middle;
            } else {
                other = middle;
            }
        }
        return other;
    }

    private boolean letGo(int worker, long hash) {
        Block block = blockOf(hash);
        boolean gone = block.letGo(worker);
        if (block.size == 0) {
            LongObjectHashMap<Block> shard = shard(hash);
            shard.remove(hash);
            if (shard.isEmpty()) {
                shards.set(shardOf(hash), new LongObjectHashMap<>(0)); // the old one keeps the size of its busiest hour
            }
        }
        return gone;
    }

    private int sizeAt(long[] chain, int at) {
        if (at >= chain.length) {
            return 0;
        }
        Block block = shard(chain[at]).get(chain[at]);
        return block == null ? 0 : block.size;
    }

    private Block blockOf(long hash) {
        LongObjectHashMap<Block> shard = shard(hash);
        int at = shard.indexOf(hash);
        if (at >= 0) {
            return shard.indexGet(at);
        }
        Block block = new Block();
        shard.indexInsert(at, hash, block);
        return block;
    }

    private LongObjectHashMap<Block> shard(long hash) {
        return shards.get(shardOf(hash));
    }

    private static int shardOf(long hash) {
        return (int) (hash >>> 40) & (SHARDS - 1);
    }
}
