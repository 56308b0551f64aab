package io.kvrouter.kv.fleet;

import java.util.List;
import java.util.TreeMap;

/** Which block size a partition has: that of most of its workers, and among equally many that of the first of them. */
final class BlockSizes {
    private BlockSizes() {}

    /** The size that most have; {@code otherwise} where there is none. */
    static int most(List<Integer> sizes, int otherwise) {
        var votes = new TreeMap<Integer, Integer>();
        sizes.forEach(size -> votes.merge(size, 1, Integer::sum));
        int winner = otherwise;
        int most = 0;
        for (int size : sizes) {
            int count = votes.getOrDefault(size, 0);
            if (count > most) {
                winner = size;
                most = count;
            }
        }
        return winner;
    }
}
