package io.kvrouter.kv.stream;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Arrays;

/**
 * Fingerprints of the last batches that were applied, by sequence number: they tell a batch that comes again from one
 * of a restarted engine, which counts from 0 once more. Batches carry the time, so two lives never share one.
 */
final class RecentBatches {
    private static final int SIZE = 256;
    private static final Hasher64 HASHER = Hashing.xxh3_64();

    private final long[] sequences = new long[SIZE];
    private final long[] fingerprints = new long[SIZE];

    RecentBatches() {
        forget();
    }

    static long fingerprint(byte[] payload) {
        return HASHER.hashBytesToLong(payload);
    }

    void add(long sequence, long fingerprint) {
        int at = at(sequence);
        sequences[at] = sequence;
        fingerprints[at] = fingerprint;
    }

    /** This very batch was applied. */
    boolean has(long sequence, byte[] payload) {
        return knows(sequence) && fingerprints[at(sequence)] == fingerprint(payload);
    }

    /** Another batch was applied under this number. */
    boolean contradicts(long sequence, byte[] payload) {
        return knows(sequence) && fingerprints[at(sequence)] != fingerprint(payload);
    }

    /** The fingerprint of a batch that is known; 0 where it is not. */
    long fingerprintOf(long sequence) {
        return knows(sequence) ? fingerprints[at(sequence)] : 0;
    }

    private boolean knows(long sequence) {
        return sequence >= 0 && sequences[at(sequence)] == sequence;
    }

    private static int at(long sequence) {
        return (int) (sequence & (SIZE - 1));
    }

    void forget() {
        Arrays.fill(sequences, -1);
    }
}
