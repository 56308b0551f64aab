package io.kvrouter.http.tokenizer.bpe;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Ids of byte strings: an open table without boxes, asked once for each word of a text. */
final class Vocabulary {
    static final int ABSENT = -1;

    private static final int PRIME = 0x9E3779B1;
    private static final int SPREAD = 15;

    private final byte[] @Nullable [] tokens;
    private final int[] ids;
    private final int mask;

    /** For at most that many entries. */
    Vocabulary(int entries) {
        int capacity = Integer.highestOneBit(Math.max(1, entries)) << 2;
        this.tokens = new byte[capacity][];
        this.ids = new int[capacity];
        this.mask = capacity - 1;
    }

    void put(byte[] token, int id) {
        int slot = hash(token, 0, token.length) & mask;
        while (tokens[slot] != null) {
            slot = (slot + 1) & mask;
        }
        tokens[slot] = token;
        ids[slot] = id;
    }

    /** The id of a part of a buffer, or {@link #ABSENT}. */
    int id(byte[] buffer, int from, int to) {
        int slot = hash(buffer, from, to) & mask;
        for (byte[] token = tokens[slot]; token != null; token = tokens[slot]) {
            if (Arrays.equals(token, 0, token.length, buffer, from, to)) {
                return ids[slot];
            }
            slot = (slot + 1) & mask;
        }
        return ABSENT;
    }

    private static int hash(byte[] buffer, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = (hash ^ buffer[i]) * PRIME;
        }
        return hash ^ (hash >>> SPREAD);
    }
}
