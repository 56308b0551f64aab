package io.kvrouter.sim.tokens;

/**
 * The filler of which answers are made: the same four-letter words over and over. Sent back as the content of a
 * message, it has the same tokens again, so that a later turn finds the answer in the cache.
 */
final class FillerText {
    private static final String[] WORDS = {"one ", "two ", "six ", "ten "};
    static final int DIFFERENT_WORDS = WORDS.length;

    private FillerText() {}

    /** The word at this place. */
    static String word(int index) {
        return WORDS[index % WORDS.length];
    }

    /** So many words. */
    static String of(int words) {
        var text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(word(i));
        }
        return text.toString();
    }
}
