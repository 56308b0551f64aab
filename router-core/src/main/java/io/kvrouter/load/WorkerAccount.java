package io.kvrouter.load;

import io.kvrouter.kv.Chain;
import io.kvrouter.kv.index.ActivePrompts;
import io.kvrouter.load.slice.WorkerLoad;

/**
 * The sum of a node's reservations on one rank of one life of a worker. While that is a place of the fleet, every change
 * goes into the sum of all members too. The KV blocks that these requests hold are in the ledger's index of active
 * prompts; a block that several share counts once (but for a remainder of at most 31 where one prompt goes on beyond
 * another's end, see {@link Chain}). Blocks of output are each request's own.
 */
public final class WorkerAccount {
    private final long worker;
    private final int number;
    private final ActivePrompts active;
    private final PlaceLoads places;
    private int index = PlaceLoads.NOWHERE;
    private long requests;
    private long prefillTokens;
    private long decodeBlocks;
    private long footprintTokens;

    WorkerAccount(long worker, int number, ActivePrompts active, PlaceLoads places) {
        this.worker = worker;
        this.number = number;
        this.active = active;
        this.places = places;
    }

    void add(Reservation reservation) {
        Chain chain = reservation.booking().chain();
        int added = active.hold(number, chain.marks());
        move(1, reservation.prefillTokens(), reservation.ownBlocks() + chain.lastBlocks(added));
    }

    void remove(Reservation reservation) {
        Chain chain = reservation.booking().chain();
        int freed = active.release(number, chain.marks());
        move(-1, -reservation.prefillTokens(), -reservation.ownBlocks() - chain.lastBlocks(freed));
    }

    /** One of the reservations became another, of the same prompt. */
    void replace(Reservation before, Reservation after) {
        move(0, after.prefillTokens() - before.prefillTokens(), after.ownBlocks() - before.ownBlocks());
    }

    private void move(long moreRequests, long morePrefill, long moreBlocks) {
        requests += moreRequests;
        prefillTokens += morePrefill;
        decodeBlocks += moreBlocks;
        places.add(index, moreRequests, morePrefill, moreBlocks);
    }

    /** From now on the sessions decided on this node have so many tokens there. Returns whether that is news. */
    boolean footprint(long tokens) {
        long more = tokens - footprintTokens;
        footprintTokens = tokens;
        places.addFootprint(index, more);
        return more != 0;
    }

    /** It has this index in the roster from now on; what it holds is in the sum there. */
    void sit(int at) {
        index = at;
        places.add(index, load());
    }

    /** It is no place of the fleet any more; its sum there is cleared by who owns that. */
    void stand() {
        index = PlaceLoads.NOWHERE;
        footprintTokens = 0;
    }

    /** Neither a known worker's nor any reservation's. */
    boolean dispensable() {
        return requests == 0 && index == PlaceLoads.NOWHERE;
    }

    boolean idle() {
        return requests == 0 && footprintTokens == 0;
    }

    /** Its number in {@link ReservationLedger#active()}. */
    public int number() {
        return number;
    }

    public long worker() {
        return worker;
    }

    public long requests() {
        return requests;
    }

    public WorkerLoad load() {
        return new WorkerLoad(requests, prefillTokens, decodeBlocks, footprintTokens);
    }
}
