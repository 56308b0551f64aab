package io.kvrouter.http.tokenizer;

import io.kvrouter.http.tokenizer.file.AddedToken;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Pieces of a text by the oracle, for tokenizers that treat a text's start in their own way: what does not stand first
 * is given to it behind an added token, whose id is then left out.
 */
final class AnchoredPieces implements PieceTokenizer {
    private final NativeTokenizer oracle;
    private final AddedToken anchor;

    private AnchoredPieces(NativeTokenizer oracle, AddedToken anchor) {
        this.oracle = oracle;
        this.anchor = anchor;
    }

    /** Empty if the tokenizer has no token that can stand before anything. */
    static Optional<AnchoredPieces> of(NativeTokenizer oracle, List<AddedToken> tokens) {
        return tokens.stream()
                .filter(token -> token.plain() && !token.normalized())
                .filter(token -> tokens.stream()
                        .noneMatch(other ->
                                other.id() != token.id() && other.content().startsWith(token.content())))
                .filter(token -> Arrays.equals(oracle.tokens(token.content(), false), new int[] {token.id()}))
                .findFirst()
                .map(token -> new AnchoredPieces(oracle, token));
    }

    @Override
    public int[] tokens(String piece, boolean first) {
        if (first) {
            return oracle.tokens(piece, false);
        }
        int[] ids = oracle.tokens(anchor.content() + piece, false);
        return Arrays.copyOfRange(ids, 1, ids.length);
    }
}
