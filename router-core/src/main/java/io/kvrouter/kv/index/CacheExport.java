package io.kvrouter.kv.index;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.LongArrayList;
import com.carrotsearch.hppc.sorting.IndirectSort;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;

/**
 * One cache's blocks as batches, parents before children. Reads the cache's entries, which nobody else changes, and runs
 * that these entries keep as they are; only to find a run by its number takes the lock.
 */
final class CacheExport {
    private static final int ABSENT = -1;

    private final Object lock;
    private final RunTree tree;
    private final BlockSink sink;

    // The entries, ascending by place.
    private long[] values = {};
    private long[] engineHashes = {};

    private final LongArrayList hashColumn = new LongArrayList();
    private final LongArrayList sequenceColumn = new LongArrayList();
    private final LongArrayList parentColumn = new LongArrayList();
    private final ByteArrayList markColumn = new ByteArrayList();
    private final LongArrayList way = new LongArrayList();
    private long lastPlace = ABSENT; // of the last row of the batch

    CacheExport(Object lock, RunTree tree, BlockSink sink) {
        this.lock = lock;
        this.tree = tree;
        this.sink = sink;
    }

    void run(EngineMap places) {
        sort(places);
        BitSet done = new BitSet(); // by the first entry of a run
        ArrayDeque<Run> waiting = new ArrayDeque<>();
        for (int first = 0; first < values.length; first = firstOf(EngineMap.run(values[first]) + 1)) {
            for (Run run = runOf(first); run != null; run = run.parent) {
                int entry = firstOf(run.id);
                if (!hasEntry(run, entry)) {
                    continue; // on the way to others only
                }
                if (done.get(entry)) {
                    break;
                }
                done.set(entry);
                waiting.push(run);
            }
            for (Run run = waiting.poll(); run != null; run = waiting.poll()) {
                for (int i = firstOf(run.id); hasEntry(run, i); i++) {
                    row(run, i);
                }
            }
        }
        cut();
    }

    private void sort(EngineMap places) {
        LongArrayList found = new LongArrayList();
        LongArrayList hashes = new LongArrayList();
        places.forEach((engineHash, value) -> {
            found.add(value);
            hashes.add(engineHash);
        });
        int[] order = IndirectSort.mergesort(0, found.size(), (a, b) -> Long.compare(found.get(a), found.get(b)));
        values = Arrays.stream(order).mapToLong(found::get).toArray();
        engineHashes = Arrays.stream(order).mapToLong(hashes::get).toArray();
    }

    private boolean hasEntry(Run run, int entry) {
        return entry < values.length && EngineMap.run(values[entry]) == run.id;
    }

    /** The first entry in a run of this number or a higher one. */
    private int firstOf(int run) {
        int at = Arrays.binarySearch(values, EngineMap.value(run, 0, 0)); // no entry is without a tier
        return -1 - at;
    }

    /** An entry for the block, or {@link #ABSENT} where the cache does not hold it. */
    private int entryOf(Run run, int offset) {
        long value = EngineMap.value(run.id, offset, 0);
        int at = -1 - Arrays.binarySearch(values, value);
        return at < values.length && EngineMap.place(values[at]) == EngineMap.place(value) ? at : ABSENT;
    }

    private Run runOf(int entry) {
        synchronized (lock) {
            return tree.run(EngineMap.run(values[entry]));
        }
    }

    private void row(Run run, int entry) {
        int offset = EngineMap.offset(values[entry]);
        long place = EngineMap.place(values[entry]);
        int mark = lastPlace != ABSENT && lastPlace == placeBefore(run, offset) ? BlockBatch.FOLLOWS : 0;
        long parent = 0;
        if (mark == 0) {
            int anchor = findWay(run, offset);
            mark = anchor == ABSENT ? BlockBatch.ROOT : 0;
            parent = anchor == ABSENT ? 0 : engineHashes[anchor];
            for (int i = way.size() - 1; i >= 0; i--) {
                add(0, way.get(i), parent, mark);
                mark = BlockBatch.FOLLOWS;
            }
        }
        add(engineHashes[entry], run.state.hashes[offset], parent, mark | EngineMap.tiers(values[entry]));
        lastPlace = place;
        if (markColumn.size() >= BlockBatch.ROWS) {
            cut();
        }
    }

    private static long placeBefore(Run run, int offset) {
        if (offset > 0) {
            return EngineMap.place(EngineMap.value(run.id, offset - 1, 0));
        }
        return run.parent == null ? ABSENT : EngineMap.place(EngineMap.value(run.parent.id, run.parentOffset(), 0));
    }

    /** Collects the blocks that the cache does not hold, backwards, up to one that it does, or to the root. */
    private int findWay(Run from, int fromOffset) {
        way.clear();
        Run run = from;
        int offset = fromOffset;
        while (true) {
            if (offset > 0) {
                offset--;
            } else if (run.parent != null) {
                offset = run.parentOffset();
                run = run.parent;
            } else {
                return ABSENT;
            }
            int entry = entryOf(run, offset);
            if (entry != ABSENT) {
                return entry;
            }
            way.add(run.state.hashes[offset]);
        }
    }

    private void add(long engineHash, long sequenceHash, long parent, int mark) {
        hashColumn.add(engineHash);
        sequenceColumn.add(sequenceHash);
        parentColumn.add(parent);
        markColumn.add((byte) mark);
    }

    private void cut() {
        if (!markColumn.isEmpty()) {
            sink.take(new BlockBatch(
                    hashColumn.toArray(), sequenceColumn.toArray(), parentColumn.toArray(), markColumn.toArray()));
        }
        hashColumn.clear();
        sequenceColumn.clear();
        parentColumn.clear();
        markColumn.clear();
        lastPlace = ABSENT; // the next batch begins with a row that tells its parent
    }
}
