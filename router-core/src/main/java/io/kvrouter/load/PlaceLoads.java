package io.kvrouter.load;

import io.kvrouter.load.slice.WorkerLoad;
import java.util.Arrays;

/**
 * The load at each place, by its index in the roster: this node's own reservations and what the other members told, in
 * one sum. Numbers of one place lie beside each other, so that a candidate costs one cache line and nothing is hashed or
 * followed for it. Every change adds its difference; a selection only reads.
 */
public final class PlaceLoads {
    /** The index of a worker key that has no place. */
    static final int NOWHERE = -1;

    private static final int REQUESTS = 0;
    private static final int PREFILL = 1;
    private static final int DECODE = 2;
    private static final int FOOTPRINT = 3;
    private static final int STRIDE = 4;

    private long[] numbers = {};

    /** Has room for so many places. */
    void resize(int places) {
        if (numbers.length < places * STRIDE) {
            numbers = Arrays.copyOf(numbers, Math.max(places, numbers.length / STRIDE * 2) * STRIDE);
        }
    }

    void clear(int index) {
        Arrays.fill(numbers, index * STRIDE, (index + 1) * STRIDE, 0);
    }

    void add(int index, WorkerLoad load) {
        add(index, load.requests(), load.prefillTokens(), load.decodeBlocks());
        addFootprint(index, load.footprintTokens());
    }

    /** Differences, of either sign. */
    void add(int index, long requests, long prefillTokens, long decodeBlocks) {
        if (index != NOWHERE) {
            int at = index * STRIDE;
            numbers[at + REQUESTS] += requests;
            numbers[at + PREFILL] += prefillTokens;
            numbers[at + DECODE] += decodeBlocks;
        }
    }

    void addFootprint(int index, long tokens) {
        if (index != NOWHERE) {
            numbers[index * STRIDE + FOOTPRINT] += tokens;
        }
    }

    public long requests(int index) {
        return numbers[index * STRIDE + REQUESTS];
    }

    public long prefillTokens(int index) {
        return numbers[index * STRIDE + PREFILL];
    }

    public long decodeBlocks(int index) {
        return numbers[index * STRIDE + DECODE];
    }

    public long footprintTokens(int index) {
        return numbers[index * STRIDE + FOOTPRINT];
    }

    /** All of it. */
    public WorkerLoad load(int index) {
        return new WorkerLoad(requests(index), prefillTokens(index), decodeBlocks(index), footprintTokens(index));
    }
}
