package io.kvrouter.kv.index;

import com.carrotsearch.hppc.LongIntHashMap;
import java.util.ArrayList;
import java.util.List;

/**
 * The prompts in flight on each worker, counted: which of their blocks are held there already. A prompt is the chain of
 * its sequence hashes from the root, so what a worker holds is with each block every block before it. Not safe for use
 * by several threads.
 */
public final class ActivePrompts {
    private final List<LongIntHashMap> workers = new ArrayList<>();

    /**
     * A prompt starts on a worker.
     *
     * @param worker its number, dense: used as an index
     * @param chain sequence hashes from the root; the same prompt may be held several times
     * @return how many of the blocks nothing else held there
     */
    public int hold(int worker, long[] chain) {
        while (workers.size() <= worker) {
            workers.add(new LongIntHashMap());
        }
        LongIntHashMap counts = workers.get(worker);
        int fresh = 0;
        for (long block : chain) {
            if (counts.addTo(block, 1) == 1) {
                fresh++;
            }
        }
        return fresh;
    }

    /** A prompt that was held ends. Returns how many of the blocks nothing holds there any more. */
    public int release(int worker, long[] chain) {
        LongIntHashMap counts = workers.get(worker);
        int freed = 0;
        for (long block : chain) {
            if (counts.addTo(block, -1) == 0) {
                counts.remove(block);
                freed++;
            }
        }
        return freed;
    }

    /** How many blocks of the chain each worker holds, by its number, as {@link Overlaps#device}. */
    public void overlaps(long[] chain, Overlaps into) {
        into.reset(workers.size());
        for (int worker = 0; worker < workers.size(); worker++) {
            int held = 0;
            while (held < chain.length && workers.get(worker).containsKey(chain[held])) {
                held++;
            }
            for (Tier tier : Tier.values()) {
                into.set(worker, tier, held);
            }
        }
    }
}
