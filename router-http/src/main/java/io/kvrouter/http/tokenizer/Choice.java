package io.kvrouter.http.tokenizer;

import io.kvrouter.http.tokenizer.bpe.ByteLevelTokenizer;
import io.kvrouter.http.tokenizer.bpe.NotByteLevelException;
import io.kvrouter.http.tokenizer.file.AddedToken;
import io.kvrouter.http.tokenizer.file.TokenizerFile;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Which tokenizer a model's texts go to, the fastest of those that gave the oracle's ids in a test.
 *
 * @param pieces tokenizes what lies between added tokens
 * @param tokens those that texts are cut at
 * @param sameAnywhere a piece has the same ids wherever it stands
 */
record Choice(PieceTokenizer pieces, List<AddedToken> tokens, boolean sameAnywhere, String description) {
    private static final int TEXTS = 240;
    private static final int TEXTS_FOR_CUTTING = 60;
    private static final long SEED = 20_26;

    static Choice of(TokenizerFile file, NativeTokenizer oracle) {
        String why;
        try {
            Choice fast = fast(file, oracle);
            if (fast.passes(oracle, TEXTS)) {
                return fast;
            }
            why = "other ids in the self-test of the fast path";
        } catch (NotByteLevelException e) {
            why = String.valueOf(e.getMessage());
        }
        String description = "djl: " + why;
        Optional<Choice> cut = AnchoredPieces.of(oracle, file.addedTokens())
                .map(pieces -> new Choice(pieces, file.addedTokens(), false, description));
        return cut.filter(choice -> choice.passes(oracle, TEXTS_FOR_CUTTING))
                .orElseGet(() -> new Choice(
                        (text, first) -> oracle.tokens(text, false), List.of(), true, description + "; texts uncut"));
    }

    private static Choice fast(TokenizerFile file, NativeTokenizer oracle) throws NotByteLevelException {
        ByteLevelTokenizer bytePairs = ByteLevelTokenizer.of(file);
        BitSet differing = CodePoints.differing(file, bytePairs);
        PieceTokenizer pieces = (piece, first) ->
                CodePoints.in(differing, piece) ? oracle.tokens(piece, false) : bytePairs.tokens(piece);
        String description = "byte pairs, self-test passed, " + differing.cardinality() + " code points by djl";
        return new Choice(pieces, file.addedTokens(), true, description);
    }

    private boolean passes(NativeTokenizer oracle, int texts) {
        var contents = tokens.stream().map(AddedToken::content).toList();
        var split = new SplitTokenizer(tokens, pieces, oracle);
        return HostileTexts.make(SEED, texts, contents).stream()
                .allMatch(text -> Arrays.equals(split.tokens(text), oracle.tokens(text, false)));
    }
}
