package io.kvrouter.sim.engine;

import com.carrotsearch.hppc.IntArrayList;

/** One request inside the engine: how far it is, and the blocks it holds. */
final class Sequence {
    private final EngineRequest request;
    private final IntArrayList blocks = new IntArrayList();
    private int generated;
    private int computed;
    private int prefillEnd;
    private int published;
    private boolean queried;
    private boolean gone;

    Sequence(EngineRequest request) {
        this.request = request;
    }

    long id() {
        return request.id();
    }

    int promptTokens() {
        return request.promptTokens();
    }

    int generated() {
        return generated;
    }

    boolean finished() {
        return generated == request.outputTokens();
    }

    boolean prefilling() {
        return computed < prefillEnd;
    }

    int tokensToPrefill() {
        return prefillEnd - computed;
    }

    /** True once: at the first admission, which is the one that counts as a look-up. */
    boolean firstAdmission() {
        boolean first = !queried;
        queried = true;
        return first;
    }

    boolean gone() {
        return gone;
    }

    /**
     * Takes the cached prefix and empty blocks for the rest, if the pool has them. The last token is always computed,
     * so a prompt that is cached whole still misses its last block.
     */
    boolean admit(BlockPool pool, int blockSize) {
        int length = length();
        int hits = cachedPrefix(pool, (length - 1) / blockSize);
        int missing = blocksFor(length, blockSize) - hits;
        if (missing > pool.available() - idleAmong(pool, hits)) {
            return false;
        }
        for (int i = 0; i < hits; i++) {
            int block = pool.find(request.blockHash(i));
            pool.hold(block);
            blocks.add(block);
        }
        for (int i = 0; i < missing; i++) {
            blocks.add(pool.allocate());
        }
        computed = hits * blockSize;
        published = hits;
        prefillEnd = length;
        return true;
    }

    int computed() {
        return computed;
    }

    /** Room for the next token of the answer; false if the pool has none. */
    boolean grow(BlockPool pool, int blockSize) {
        if (blocksFor(computed + 1, blockSize) <= blocks.size()) {
            return true;
        }
        if (pool.available() == 0) {
            return false;
        }
        blocks.add(pool.allocate());
        return true;
    }

    /** The step computed so many tokens: full blocks become findable. True if a token of the answer came out. */
    boolean advance(int tokens, BlockPool pool, int blockSize) {
        boolean complete = computed + tokens == length();
        computed += tokens;
        for (; published < computed / blockSize; published++) {
            pool.publish(blocks, published, request);
        }
        if (complete) {
            generated++;
        }
        return complete;
    }

    /** Gives all blocks back; what is full stays cached until evicted. */
    void release(BlockPool pool) {
        pool.releaseAll(blocks);
        computed = 0;
        prefillEnd = 0;
        published = 0;
    }

    /** Left the engine: whatever a step under way computes for it is void. */
    void leave(BlockPool pool) {
        release(pool);
        gone = true;
    }

    private int length() {
        return request.promptTokens() + generated;
    }

    private int cachedPrefix(BlockPool pool, int limit) {
        int hits = 0;
        while (hits < limit && pool.find(request.blockHash(hits)) >= 0) {
            hits++;
        }
        return hits;
    }

    private int idleAmong(BlockPool pool, int hits) {
        int idle = 0;
        for (int i = 0; i < hits; i++) {
            if (pool.isIdle(pool.find(request.blockHash(i)))) {
                idle++;
            }
        }
        return idle;
    }

    private static int blocksFor(int tokens, int blockSize) {
        return Math.ceilDiv(tokens, blockSize);
    }
}
