package io.kvrouter.sim.api;

/**
 * The filler of which answers are made: token i of every answer is the same four-letter word. Sent back as the content
 * of a message, it has the same tokens again, so that a later turn finds the answer in the cache.
 */
public final class AnswerText {
    private static final String[] WORDS = {"one ", "two ", "six ", "ten "};
    static final int DIFFERENT_WORDS = WORDS.length;

    private AnswerText() {}

    /** The word that is this token of an answer. */
    static String word(int index) {
        return WORDS[index % WORDS.length];
    }

    /** An answer of so many tokens. */
    static String of(int tokens) {
        var text = new StringBuilder();
        for (int i = 0; i < tokens; i++) {
            text.append(word(i));
        }
        return text.toString();
    }

    /** The tokens of such an answer. */
    public static TokenIds tokens(int count) {
        int[] different = TokenIds.ofText(of(DIFFERENT_WORDS)).toArray();
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = different[i % DIFFERENT_WORDS];
        }
        return TokenIds.of(ids);
    }
}
