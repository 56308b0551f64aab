package io.kvrouter.http.tokenizer;

import io.kvrouter.http.tokenizer.file.AddedToken;
import io.kvrouter.http.tokenizer.file.TokenizerFile;
import io.kvrouter.http.tokenizer.file.Utf8;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A model's tokenizer: the ids that Hugging Face's library gives, faster.
 *
 * <p>A text is cut at its added tokens and each piece tokenized on its own, which gives the same ids and lets pieces be
 * remembered. Safe for use by several threads. Texts are in no message.
 */
public final class ModelTokenizer implements AutoCloseable {
    private final NativeTokenizer oracle;
    private final Surroundings surroundings;
    private final SplitTokenizer tokenizer;
    private final String description;
    private final List<String> added;

    private ModelTokenizer(NativeTokenizer oracle, TokenizerFile file, SegmentCache cache) {
        Choice choice = Choice.of(file, oracle);
        this.oracle = oracle;
        this.surroundings = Surroundings.of(file, oracle);
        this.tokenizer = new SplitTokenizer(
                choice.tokens(), new RememberedPieces(choice.pieces(), cache, choice.sameAnywhere()), oracle);
        this.description = choice.description();
        this.added = file.addedTokens().stream().map(AddedToken::content).toList();
    }

    /**
     * Reads {@code tokenizer.json} and {@code tokenizer_config.json} of a directory, and tests the fast path.
     *
     * @throws IOException naming the file that is missing or broken
     */
    public static ModelTokenizer load(Path directory, SegmentCache cache) throws IOException {
        TokenizerFile file = TokenizerFile.read(directory);
        NativeTokenizer oracle;
        try {
            oracle = NativeTokenizer.of(file.json());
        } catch (IOException e) {
            throw new IOException(directory.resolve(TokenizerFile.NAME) + ": " + e.getMessage(), e);
        }
        try {
            return new ModelTokenizer(oracle, file.withAddedTokens(numbered(file, oracle)), cache);
        } catch (RuntimeException e) {
            oracle.close();
            throw e;
        }
    }

    /** The library may number added tokens otherwise than the file: in order, after the vocabulary. */
    private static List<AddedToken> numbered(TokenizerFile file, NativeTokenizer oracle) {
        return file.addedTokens().stream()
                .map(token -> {
                    int[] ids = oracle.tokens(token.content(), false);
                    return ids.length == 1 ? token.withId(ids[0]) : token;
                })
                .toList();
    }

    /**
     * The ids of a text, added tokens in it recognised, nothing put around it.
     *
     * @throws IllegalArgumentException if the text is not well-formed UTF-16: no engine takes it
     */
    public int[] tokens(String text) {
        return tokenizer.tokens(wellFormed(text));
    }

    /**
     * The same, with what the model wants around a text that no template made.
     *
     * @throws IllegalArgumentException as {@link #tokens}
     */
    public int[] tokensWithSpecials(String text) {
        return surroundings.around(tokens(text));
    }

    /** The ids by Hugging Face's library alone: slow, the measure for {@link #tokens}. */
    public int[] oracleTokens(String text) {
        return oracle.tokens(wellFormed(text), false);
    }

    private static String wellFormed(String text) {
        if (!Utf8.isWellFormed(text)) {
            throw new IllegalArgumentException("text: half a surrogate pair (expected: well-formed UTF-16)");
        }
        return text;
    }

    /** The tokens that are found in a text before anything else, by their text. */
    public List<String> addedTokens() {
        return added;
    }

    /** Which tokenizer works here, and why. */
    public String describe() {
        return description;
    }

    @Override
    public void close() {
        oracle.close();
    }
}
