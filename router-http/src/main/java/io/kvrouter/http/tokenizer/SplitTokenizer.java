package io.kvrouter.http.tokenizer;

import com.carrotsearch.hppc.IntArrayList;
import io.kvrouter.http.tokenizer.file.AddedToken;
import io.kvrouter.http.tokenizer.file.AddedTokens;
import java.util.List;

/**
 * Cuts a text at its added tokens and tokenizes each piece on its own.
 *
 * <p>A text with a token that takes more than its own characters (blanks beside it, say) is the oracle's, whole.
 */
final class SplitTokenizer {
    private final AddedTokens added;
    private final AddedTokens awkward;
    private final PieceTokenizer pieces;
    private final NativeTokenizer oracle;

    SplitTokenizer(List<AddedToken> tokens, PieceTokenizer pieces, NativeTokenizer oracle) {
        this.added = new AddedTokens(
                tokens.stream().filter(token -> !token.normalized()).toList());
        this.awkward =
                new AddedTokens(tokens.stream().filter(token -> !token.plain()).toList());
        this.pieces = pieces;
        this.oracle = oracle;
    }

    int[] tokens(String text) {
        if (awkward.in(text)) {
            return oracle.tokens(text, false);
        }
        IntArrayList ids = new IntArrayList();
        added.split(text, new AddedTokens.Parts() {
            @Override
            public void text(int from, int to) {
                int[] part = pieces.tokens(text.substring(from, to), from == 0);
                ids.add(part, 0, part.length);
            }

            @Override
            public void token(int id) {
                ids.add(id);
            }
        });
        return ids.toArray();
    }
}
