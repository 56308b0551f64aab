package io.kvrouter.kv.index;

import io.kvrouter.kv.BlockHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cache of one worker and rank, as its events tell. One writer at a time; the index serialises the writers of
 * different caches itself.
 */
public final class KvCache {
    /** What became of stored blocks. */
    public enum Stored {
        STORED,
        /** The parent is not in the cache: an event was lost. */
        UNKNOWN_PARENT,
        /** Some or all were refused, or a block before them had been: no event was lost. */
        FULL
    }

    private static final class Block {
        final long sequence;
        final long parent;
        final boolean root;
        int tiers;

        Block(long sequence, long parent, boolean root) {
            this.sequence = sequence;
            this.parent = parent;
            this.root = root;
        }
    }

    private final KvIndex index;
    private final int number;
    private final Map<Long, Block> byEngineHash = new LinkedHashMap<>();
    private final Map<Long, List<Block>> bySequence = new LinkedHashMap<>();
    private boolean refusing;

    KvCache(KvIndex index, int number) {
        this.index = index;
        this.number = number;
    }

    /** Its number in {@link Overlaps}: dense, and used again after {@link #close()}. */
    public int number() {
        return number;
    }

    /** Blocks from the start of a prompt are now in the tier. The arrays are equally long. */
    public Stored storeFirst(Tier tier, long[] engineHashes, long[] blockHashes) {
        synchronized (index) {
            return store(0, true, tier, engineHashes, BlockHashes.chain(blockHashes));
        }
    }

    /**
     * Blocks that follow a parent are now in the tier.
     *
     * @param parent the engine's hash of the block before the first
     * @param blockHashes the hashes of the blocks' own content
     */
    public Stored storeAfter(long parent, Tier tier, long[] engineHashes, long[] blockHashes) {
        synchronized (index) {
            Block before = byEngineHash.get(parent);
            if (before == null) {
                index.refused(refusing ? engineHashes.length : 0);
                return refusing ? Stored.FULL : Stored.UNKNOWN_PARENT;
            }
            long[] all = new long[blockHashes.length + 1];
            all[0] = before.sequence;
            System.arraycopy(blockHashes, 0, all, 1, blockHashes.length);
            long[] chain = BlockHashes.chain(all);
            return store(before.sequence, false, tier, engineHashes, Arrays.copyOfRange(chain, 1, chain.length));
        }
    }

    private Stored store(long parent, boolean root, Tier tier, long[] engineHashes, long[] chain) {
        for (int i = 0; i < chain.length; i++) {
            Block block = byEngineHash.get(engineHashes[i]);
            if (block != null && block.sequence != chain[i]) {
                drop(engineHashes[i], block);
                block = null;
            }
            if (block == null) {
                if (index.isFull()) {
                    refusing = true;
                    index.refused(chain.length - i);
                    return Stored.FULL;
                }
                block = new Block(chain[i], i == 0 ? parent : chain[i - 1], i == 0 && root);
                byEngineHash.put(engineHashes[i], block);
                List<Block> same = bySequence.computeIfAbsent(chain[i], s -> new ArrayList<>());
                same.add(block);
                index.added(same.size() == 1 ? 1 : 0);
            }
            block.tiers |= tier.bit();
        }
        return Stored.STORED;
    }

    /** Blocks left the tier. Returns how many of them were not there; the others are removed all the same. */
    public int remove(Tier tier, long[] engineHashes) {
        synchronized (index) {
            int unknown = 0;
            for (long engineHash : engineHashes) {
                Block block = byEngineHash.get(engineHash);
                if (block == null || (block.tiers & tier.bit()) == 0) {
                    unknown++;
                } else {
                    block.tiers &= ~tier.bit();
                    if (block.tiers == 0) {
                        drop(engineHash, block);
                    }
                }
            }
            return unknown;
        }
    }

    private void drop(long engineHash, Block block) {
        byEngineHash.remove(engineHash);
        List<Block> same = bySequence.getOrDefault(block.sequence, new ArrayList<>());
        same.remove(block);
        if (same.isEmpty()) {
            bySequence.remove(block.sequence);
            index.added(-1);
        }
    }

    /** All blocks leave, the cache stays. */
    public void clear() {
        synchronized (index) {
            index.added(-bySequence.size());
            byEngineHash.clear();
            bySequence.clear();
            refusing = false;
        }
    }

    /** All blocks leave, and the number is free for another cache. */
    public void close() {
        synchronized (index) {
            clear();
            index.closed(number);
        }
    }

    /** Blocks that it holds, each counted once, in whatever tiers. */
    public long blocks() {
        synchronized (index) {
            return bySequence.size();
        }
    }

    /** Whether a block is held under this engine hash, in whatever tier. */
    public boolean holds(long engineHash) {
        synchronized (index) {
            return byEngineHash.containsKey(engineHash);
        }
    }

    /** Gives its blocks to a sink, parents before children. Called by its writer: nothing changes meanwhile. */
    public void export(BlockSink sink) {
        synchronized (index) {
            long[][] columns = new long[3][byEngineHash.size()];
            byte[] marks = new byte[byEngineHash.size()];
            int row = 0;
            for (var entry : byEngineHash.entrySet()) {
                Block block = entry.getValue();
                columns[0][row] = entry.getKey();
                columns[1][row] = block.sequence;
                columns[2][row] = block.parent;
                marks[row++] = (byte) (block.tiers | (block.root ? BlockBatch.ROOT : 0));
            }
            sink.take(new BlockBatch(columns[0], columns[1], columns[2], marks));
        }
    }

    /** Takes what another node exported, the batches in their order, into a cache that was empty before the first. */
    public Stored restore(BlockBatch batch) {
        synchronized (index) {
            Stored stored = Stored.STORED;
            for (int row = 0; row < batch.rows(); row++) {
                for (Tier tier : Tier.values()) {
                    if ((batch.tiers(row) & tier.bit()) != 0 && stored == Stored.STORED) {
                        long[] engineHash = {batch.engineHash(row)};
                        long[] sequence = {batch.sequenceHash(row)};
                        stored = store(batch.parent(row), batch.isRoot(row), tier, engineHash, sequence);
                    }
                }
            }
            return stored;
        }
    }

    void overlaps(long[] chain, Overlaps into) {
        int wanted = 0;
        int end = 0;
        for (Tier tier : Tier.values()) {
            wanted |= tier.bit();
            while (end < chain.length && (tiers(chain[end]) & wanted) != 0) {
                end++;
            }
            into.set(number, tier, end);
        }
    }

    private int tiers(long sequence) {
        int tiers = 0;
        for (Block block : bySequence.getOrDefault(sequence, List.of())) {
            tiers |= block.tiers;
        }
        return tiers;
    }
}
