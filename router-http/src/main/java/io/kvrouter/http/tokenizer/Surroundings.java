package io.kvrouter.http.tokenizer;

import io.kvrouter.http.tokenizer.file.TokenizerFile;
import java.util.Arrays;

/** The ids that a model wants before and after a text that no template made: mostly one for its beginning. */
final class Surroundings {
    private static final int[] NONE = {};

    private final int[] before;
    private final int[] after;

    private Surroundings(int[] before, int[] after) {
        this.before = before;
        this.after = after;
    }

    static Surroundings of(TokenizerFile file, NativeTokenizer oracle) {
        return file.beginning()
                .map(beginning -> new Surroundings(oracle.tokens(beginning.token(), false), NONE))
                .orElseGet(() -> asked(oracle));
    }

    private static Surroundings asked(NativeTokenizer oracle) {
        int[] bare = oracle.tokens("a", false);
        int[] whole = oracle.tokens("a", true);
        for (int at = 0; at + bare.length <= whole.length; at++) {
            int end = at + bare.length;
            if (Arrays.equals(whole, at, end, bare, 0, bare.length)) {
                return new Surroundings(Arrays.copyOf(whole, at), Arrays.copyOfRange(whole, end, whole.length));
            }
        }
        return new Surroundings(NONE, NONE);
    }

    int[] around(int[] ids) {
        int[] all = Arrays.copyOf(before, before.length + ids.length + after.length);
        System.arraycopy(ids, 0, all, before.length, ids.length);
        System.arraycopy(after, 0, all, before.length + ids.length, after.length);
        return all;
    }
}
