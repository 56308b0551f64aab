package io.kvrouter.load;

import java.util.Arrays;

/** The roster indexes of the places that serve one model in one group, ascending. */
final class EligiblePlaces {
    private int[] indexes;

    EligiblePlaces(int[] indexes) {
        this.indexes = indexes;
    }

    int[] indexes() {
        return indexes;
    }

    /** From now on this place serves it, or does not. Arrays given out before stay as they are. */
    void set(int index, boolean serves) {
        int at = Arrays.binarySearch(indexes, index);
        if (serves == at >= 0) {
            return;
        }
        int to = serves ? -1 - at : at;
        int[] changed = new int[indexes.length + (serves ? 1 : -1)];
        System.arraycopy(indexes, 0, changed, 0, to);
        if (serves) {
            changed[to] = index;
            System.arraycopy(indexes, to, changed, to + 1, indexes.length - to);
        } else {
            System.arraycopy(indexes, to + 1, changed, to, changed.length - to);
        }
        indexes = changed;
    }
}
