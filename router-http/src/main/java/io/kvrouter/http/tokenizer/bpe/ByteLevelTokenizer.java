package io.kvrouter.http.tokenizer.bpe;

import com.carrotsearch.hppc.IntArrayList;
import io.kvrouter.http.tokenizer.file.AddedToken;
import io.kvrouter.http.tokenizer.file.AddedTokens;
import io.kvrouter.http.tokenizer.file.TokenizerFile;
import io.kvrouter.http.tokenizer.file.Utf8;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The fast path: byte-level BPE, as Qwen, Llama 3, GPT, DeepSeek and Mistral (Tekken) use it, by the file's own merges.
 *
 * <p>Safe for use by several threads. A text must be well-formed UTF-16.
 */
public final class ByteLevelTokenizer {
    /** Below it every character is composed already, and stays so whatever follows it from below. */
    private static final char FIRST_COMBINING = '\u0300';

    private static final int BYTES = 256;
    private static final int UTF8_PER_CHAR = 3;
    private static final int CHARS_PER_TOKEN = 3;
    private static final int USUAL_WORD = 64;

    private final boolean composes;
    private final AddedTokens normalized;
    private final SplitPattern pattern;
    private final BytePairModel model;

    private ByteLevelTokenizer(boolean composes, AddedTokens normalized, SplitPattern pattern, BytePairModel model) {
        this.composes = composes;
        this.normalized = normalized;
        this.pattern = pattern;
        this.model = model;
    }

    /**
     * Reads the parts of a tokenizer that it is made of.
     *
     * @throws NotByteLevelException naming the first thing in the file that this path does not know
     */
    public static ByteLevelTokenizer of(TokenizerFile file) throws NotByteLevelException {
        boolean composes = ByteLevelFile.composes(file.root().path("normalizer"));
        var normalized = file.addedTokens().stream()
                .filter(AddedToken::normalized)
                .filter(AddedToken::plain)
                .map(token -> composes ? token.withContent(composed(token.content())) : token)
                .toList();
        return new ByteLevelTokenizer(
                composes,
                new AddedTokens(normalized),
                ByteLevelFile.split(file.root().path("pre_tokenizer")),
                BytePairModel.read(file.root().path("model")));
    }

    /** The ids of text that has none of the added tokens in it that are found before normalising. */
    public int[] tokens(String piece) {
        String text = composes ? composed(piece) : piece;
        IntArrayList out = new IntArrayList(text.length() / CHARS_PER_TOKEN + 1);
        var words = new Words(out);
        normalized.split(text, new AddedTokens.Parts() {
            @Override
            public void text(int from, int to) {
                words.of(text.substring(from, to));
            }

            @Override
            public void token(int id) {
                out.add(id);
            }
        });
        return out.toArray();
    }

    /** Whether texts are composed (NFC) first. */
    public boolean composes() {
        return composes;
    }

    /** How many words a text is cut into: what rules make of it, without the model. */
    public int countWords(String text) {
        var count = new int[1];
        pattern.split(text, (from, to) -> count[0]++);
        return count[0];
    }

    /** How a vocabulary writes the 256 bytes, with the byte as id. */
    public static Map<String, Integer> byteVocabulary() {
        return IntStream.range(0, BYTES).boxed().collect(Collectors.toMap(ByteAlphabet::write, b -> b));
    }

    private static String composed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= FIRST_COMBINING) {
                return Normalizer.normalize(text, Normalizer.Form.NFC);
            }
        }
        return text;
    }

    private final class Words implements SplitPattern.Words {
        private final BytePairs pairs = model.pairs();
        private final IntArrayList out;
        private byte[] bytes = new byte[USUAL_WORD];
        private String text = "";

        Words(IntArrayList out) {
            this.out = out;
        }

        void of(String part) {
            text = part;
            pattern.split(part, this);
        }

        @Override
        public void word(int from, int to) {
            int length = encode(from, to);
            int id = model.whole().id(bytes, 0, length);
            if (id == Vocabulary.ABSENT) {
                pairs.encode(bytes, length, out);
            } else {
                out.add(id);
            }
        }

        /** The word as UTF-8. */
        private int encode(int from, int to) {
            if (bytes.length < (to - from) * UTF8_PER_CHAR) {
                bytes = Arrays.copyOf(bytes, (to - from) * UTF8_PER_CHAR);
            }
            return Utf8.encode(text, from, to, bytes);
        }
    }
}
