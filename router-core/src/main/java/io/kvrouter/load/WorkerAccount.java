package io.kvrouter.load;

import com.carrotsearch.hppc.LongIntHashMap;
import io.kvrouter.kv.PrefixSet;

/**
 * The sum of a node's reservations on one rank of one life of a worker. As a set it holds the KV blocks that these
 * requests hold; a block that several share counts once.
 */
public final class WorkerAccount implements PrefixSet {
    private final long worker;
    private long requests;
    private long prefillTokens;
    private long estimatedBlocks;
    private LongIntHashMap holders = new LongIntHashMap(0);
    private boolean listed;

    WorkerAccount(long worker) {
        this.worker = worker;
    }

    void add(Reservation reservation) {
        requests++;
        prefillTokens += reservation.prefillTokens();
        estimatedBlocks += reservation.booking().estimatedBlocks();
        for (long block : reservation.booking().chain()) {
            holders.addTo(block, 1);
        }
    }

    void remove(Reservation reservation) {
        requests--;
        prefillTokens -= reservation.prefillTokens();
        estimatedBlocks -= reservation.booking().estimatedBlocks();
        for (long block : reservation.booking().chain()) {
            if (holders.addTo(block, -1) == 0) {
                holders.remove(block);
            }
        }
        if (requests == 0) {
            holders = new LongIntHashMap(0); // the old one keeps the size of its busiest hour
        }
    }

    /** The prompt of one of the reservations is computed. */
    void prefilled(long tokens) {
        prefillTokens -= tokens;
    }

    void list(boolean value) {
        listed = value;
    }

    /** Neither a known worker's nor any reservation's. */
    boolean dispensable() {
        return requests == 0 && !listed;
    }

    @Override
    public boolean contains(long block) {
        return holders.containsKey(block);
    }

    public long worker() {
        return worker;
    }

    public long requests() {
        return requests;
    }

    public long prefillTokens() {
        return prefillTokens;
    }

    public long decodeBlocks() {
        return estimatedBlocks + holders.size();
    }

    public WorkerLoad load() {
        return new WorkerLoad(requests, prefillTokens, decodeBlocks());
    }
}
