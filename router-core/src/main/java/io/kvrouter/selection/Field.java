package io.kvrouter.selection;

import io.kvrouter.kv.Chain;
import io.kvrouter.kv.Prompt;
import io.kvrouter.load.FleetLoad;
import io.kvrouter.load.Place;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.overlap.Overlap;
import io.kvrouter.overlap.Walk;
import io.kvrouter.overlap.Walks;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The candidates of one request, by position, and what its prompt meets at each. Lives for one selection. */
final class Field {
    private final FleetLoad fleet;
    private final Walks walks;
    private final Prompt prompt;
    private final int[] indexes;

    Field(Walks walks, Prompt prompt, int[] indexes) {
        this.fleet = walks.caches().fleet();
        this.walks = walks;
        this.prompt = prompt;
        this.indexes = indexes;
    }

    /** The candidates whose roster index passes. */
    Field where(IntPredicate passes) {
        return new Field(walks, prompt, Arrays.stream(indexes).filter(passes).toArray());
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

    /** Nodes that select workers from the same fleet, this one included. */
    int nodes() {
        return fleet.peers() + 1;
    }

    /** Prompt tokens that the candidate need not compute. */
    long cachedTokens(int position, CostFunction costs) {
        return costs.cachedTokens(overlap(position), walks.at(indexes[position]).blockSize());
    }

    Overlap overlap(int position) {
        int place = indexes[position];
        Walk walk = walks.at(place);
        return walk.overlap(place, walk.active(place));
    }

    /** Blocks of the prompt that are not active at the candidate. */
    int newBlocks(int position) {
        Walk walk = walks.at(indexes[position]);
        return walk.chain().length() - walk.active(indexes[position]);
    }

    double cost(int position, CostFunction costs) {
        int place = indexes[position];
        Walk walk = walks.at(place);
        int active = walk.active(place);
        int fresh = walk.chain().length() - active;
        return costs.cost(fleet.load(place), fresh, walk.overlap(place, active), walk.blockSize());
    }

    Chain chain(int position) {
        return walks.at(indexes[position]).chain();
    }

    long leastPrefill() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < indexes.length; i++) {
            least = Math.min(least, fleet.places().prefillTokens(indexes[i]));
        }
        return least;
    }
}
