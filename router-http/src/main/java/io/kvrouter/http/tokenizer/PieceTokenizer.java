package io.kvrouter.http.tokenizer;

/** Ids of text that has no added token in it. Safe for use by several threads. */
interface PieceTokenizer {
    /**
     * The ids.
     *
     * @param first nothing stands before it: some tokenizers put a blank in front of that piece only
     */
    int[] tokens(String piece, boolean first);
}
