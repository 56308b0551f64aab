package io.kvrouter.kv;

/**
 * A set of sequence hashes that holds, with each block of a chain, every block before it. So the length of a chain's
 * known prefix is found in logarithmic time: 26 look-ups instead of 6,250 for a prompt of 100,000 tokens.
 */
public interface PrefixSet {
    boolean contains(long sequenceHash);

    /** How many blocks from the start of the chain are in the set. */
    default int prefixOf(long[] chain) {
        int known = 0;
        int step = 1;
        while (known + step <= chain.length && contains(chain[known + step - 1])) {
            known += step;
            step <<= 1;
        }
        int end = Math.min(known + step, chain.length + 1) - 1; // the prefix is at least known, at most end long
        while (known < end) {
            int middle = (known + end + 1) >>> 1;
            if (contains(chain[middle - 1])) {
                known = middle;
            } else {
                end = middle - 1;
            }
        }
        return known;
    }
}
