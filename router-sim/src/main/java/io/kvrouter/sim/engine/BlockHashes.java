package io.kvrouter.sim.engine;

/**
 * Names of full KV blocks: each is chained on its parent, so that equal hashes mean equal prefixes. The engine's own;
 * a router takes them as opaque.
 */
public final class BlockHashes {
    private static final long SEED = 0x9E37_79B9_7F4A_7C15L;

    private BlockHashes() {}

    /** Start of a chain: prompts under another adapter or cache salt share no block. Empty means none. */
    public static long seed(String adapter, String cacheSalt) {
        long seed = SEED;
        for (int i = 0; i < adapter.length(); i++) {
            seed = mix(seed, adapter.charAt(i));
        }
        seed = mix(seed, -1);
        for (int i = 0; i < cacheSalt.length(); i++) {
            seed = mix(seed, cacheSalt.charAt(i));
        }
        return seed;
    }

    /** The hashes of a prompt's full blocks, the first block first; a rest shorter than a block has none. */
    public static long[] chain(int[] tokens, int blockSize, long seed) {
        long[] hashes = new long[tokens.length / blockSize];
        long hash = seed;
        for (int block = 0; block < hashes.length; block++) {
            for (int i = block * blockSize; i < (block + 1) * blockSize; i++) {
                hash = mix(hash, tokens[i]);
            }
            hashes[block] = hash;
        }
        return hashes;
    }

    /** One link of a chain. */
    static long mix(long hash, long value) {
        long mixed = (hash ^ (value + SEED)) * 0xFF51_AFD7_ED55_8CCDL;
        return (mixed ^ (mixed >>> 32)) * 0xC4CE_B9FE_1A85_EC53L;
    }
}
