package io.kvrouter.selection;

import io.kvrouter.kv.Prompt;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.Place;
import io.kvrouter.load.WorkerLoad;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The candidates of one request, by position, and what its prompt meets at each. Lives for one selection. */
final class Field {
    private final FleetLoad fleet;
    private final KnownOverlap known;
    private final Prompt prompt;
    private final int[] indexes;
    private int chainedSize;
    private long[] chain = {};

    Field(FleetLoad fleet, KnownOverlap known, Prompt prompt, int[] indexes) {
        this.fleet = fleet;
        this.known = known;
        this.prompt = prompt;
        this.indexes = indexes;
    }

    /** The candidates whose roster index passes. */
    Field where(IntPredicate passes) {
        return new Field(
                fleet, known, prompt, Arrays.stream(indexes).filter(passes).toArray());
    }

    int size() {
        return indexes.length;
    }

    Prompt prompt() {
        return prompt;
    }

    Place place(int position) {
        return fleet.roster().place(indexes[position]);
    }

    WorkerLoad load(int position) {
        return fleet.load(indexes[position]);
    }

    Overlap overlap(int position) {
        return Overlap.onDevice(known.blocks(indexes[position], chain(position)));
    }

    /** Blocks of the prompt that are not active at the candidate. */
    int newBlocks(int position) {
        long[] chain = chain(position);
        return chain.length - fleet.own(indexes[position]).prefixOf(chain);
    }

    /** Most workers have one block size: the prompt is not asked again for each. */
    long[] chain(int position) {
        int blockSize = place(position).blockSize();
        if (blockSize != chainedSize) {
            chain = prompt.chain(blockSize);
            chainedSize = blockSize;
        }
        return chain;
    }

    long leastPrefill() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < indexes.length; i++) {
            least = Math.min(least, load(i).prefillTokens());
        }
        return least;
    }
}
