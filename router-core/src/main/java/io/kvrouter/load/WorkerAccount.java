package io.kvrouter.load;

import io.kvrouter.kv.Chain;
import io.kvrouter.kv.index.ActivePrompts;

/**
 * The sum of a node's reservations on one rank of one life of a worker. The KV blocks that these requests hold are in
 * the ledger's index of active prompts; a block that several share counts once (but for a remainder of at most 31 where
 * one prompt goes on beyond another's end, see {@link Chain}).
 */
public final class WorkerAccount {
    private final long worker;
    private final int number;
    private final ActivePrompts active;
    private long requests;
    private long prefillTokens;
    private long decodeBlocks;
    private boolean listed;

    WorkerAccount(long worker, int number, ActivePrompts active) {
        this.worker = worker;
        this.number = number;
        this.active = active;
    }

    void add(Reservation reservation) {
        Booking booking = reservation.booking();
        Chain chain = booking.chain();
        int added = active.hold(number, chain.marks());
        requests++;
        prefillTokens += reservation.prefillTokens();
        decodeBlocks += booking.estimatedBlocks() + chain.lastBlocks(added);
    }

    void remove(Reservation reservation) {
        Booking booking = reservation.booking();
        Chain chain = booking.chain();
        int freed = active.release(number, chain.marks());
        requests--;
        prefillTokens -= reservation.prefillTokens();
        decodeBlocks -= booking.estimatedBlocks() + chain.lastBlocks(freed);
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

    public long prefillTokens() {
        return prefillTokens;
    }

    public long decodeBlocks() {
        return decodeBlocks;
    }

    public WorkerLoad load() {
        return new WorkerLoad(requests, prefillTokens, decodeBlocks);
    }
}
