package io.kvrouter.http.tokenizer.bpe;

import com.carrotsearch.hppc.IntArrayList;
import java.util.PriorityQueue;

/** Byte pair encoding of one long word: a list of tokens, and a heap of the pairs that may merge. */
final class LongWord {
    private static final int END = -1;

    private final Merges merges;
    private final int[] ids;
    private final int[] next;
    private final int[] previous;

    /** Rank in the upper half, position of the left token in the lower: what goes first is least. */
    private final PriorityQueue<Long> pairs = new PriorityQueue<>();

    LongWord(int[] ofByte, Merges merges, byte[] word, int length) {
        this.merges = merges;
        this.ids = new int[length];
        this.next = new int[length];
        this.previous = new int[length];
        for (int i = 0; i < length; i++) {
            ids[i] = ofByte[word[i] & 0xFF];
            previous[i] = i - 1;
            next[i] = i + 1 < length ? i + 1 : END;
        }
    }

    void encode(IntArrayList out) {
        for (int i = 0; i != END; i = next[i]) {
            offer(i);
        }
        for (Long pair = pairs.poll(); pair != null; pair = pairs.poll()) {
            mergeAt((int) (pair & 0xFFFF_FFFFL), Merges.rank(pair));
        }
        for (int i = 0; i != END; i = next[i]) {
            out.add(ids[i]);
        }
    }

    private void offer(int left) {
        if (left == END || next[left] == END) {
            return;
        }
        long merge = merges.get(ids[left], ids[next[left]]);
        if (merge != Merges.NONE) {
            pairs.add(((long) Merges.rank(merge) << Integer.SIZE) | left);
        }
    }

    /** A pair that is no longer what it was when it was offered is passed over. */
    private void mergeAt(int left, int rank) {
        if (ids[left] == END || next[left] == END) {
            return;
        }
        int right = next[left];
        long merge = merges.get(ids[left], ids[right]);
        if (merge == Merges.NONE || Merges.rank(merge) != rank) {
            return;
        }
        ids[left] = Merges.merged(merge);
        ids[right] = END;
        next[left] = next[right];
        if (next[left] != END) {
            previous[next[left]] = left;
        }
        offer(previous[left]);
        offer(left);
    }
}
