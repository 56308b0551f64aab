package io.kvrouter.http.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelTokenizerTest {
    private static final long SEED = 7;

    private final SegmentCache cache = new SegmentCache(1 << 20);
    private final java.util.ArrayDeque<ModelTokenizer> open = new java.util.ArrayDeque<>();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        open.forEach(ModelTokenizer::close);
    }

    private ModelTokenizer load(SmallTokenizer small) throws IOException {
        open.add(ModelTokenizer.load(small.write(directory), cache));
        return open.getLast();
    }

    private static void assertOraclesIds(ModelTokenizer tokenizer, List<String> texts) {
        assertThat(texts)
                .allSatisfy(text -> assertThat(tokenizer.tokens(text)).isEqualTo(tokenizer.oracleTokens(text)));
    }

    @Nested
    class TheFastPath {
        @Test
        void givesTheOraclesIdsWhereTextsAreComposed() throws IOException {
            var tokenizer = load(SmallTokenizer.likeQwen());

            assertThat(tokenizer.describe()).startsWith("byte pairs");
            assertOraclesIds(tokenizer, HostileTexts.make(SEED, 400, List.of("<|im_start|>", "<|im_end|>")));
        }

        @Test
        void givesTheOraclesIdsWithTheByteLevelPattern() throws IOException {
            var tokenizer = load(SmallTokenizer.likeGpt2());

            assertThat(tokenizer.describe()).startsWith("byte pairs");
            assertOraclesIds(tokenizer, HostileTexts.make(SEED, 400, List.of("<|endoftext|>")));
        }

        @Test
        void givesTheOraclesIdsWhereWholeWordsNeedNoMerging() throws IOException {
            var tokenizer = load(SmallTokenizer.likeLlama3());

            assertThat(tokenizer.describe()).startsWith("byte pairs");
            assertOraclesIds(tokenizer, HostileTexts.make(SEED, 400, List.of("<|eot_id|>")));
        }

        @Test
        void splitsByOnePatternAfterTheOther() throws IOException {
            var small = SmallTokenizer.likeQwen();
            var tokenizer = load(
                    small.with(root -> ((ArrayNode) root.path("pre_tokenizer").path("pretokenizers"))
                            .insertObject(0)
                            .put("type", "Digits")
                            .put("individual_digits", true)));

            assertThat(tokenizer.describe()).startsWith("byte pairs");
            assertOraclesIds(tokenizer, HostileTexts.make(SEED, 200, List.of("<|im_start|>")));
        }

        @ParameterizedTest
        @ValueSource(strings = {"a", " ", "\n", "é", "漢", "\ud83d\ude00", "-", "ab", " \n", "\u0301"})
        void isRightForVeryLongRuns(String unit) throws IOException {
            var tokenizer = load(SmallTokenizer.likeGpt2());

            assertOraclesIds(tokenizer, List.of(unit.repeat(100_000)));
        }

        @Test
        void findsAddedTokensInNormalisedTextAfterTheOthers() throws IOException {
            var small = SmallTokenizer.likeQwen().added("\u00e9clair", token -> token.put("normalized", true));
            var tokenizer = load(small);

            assertThat(tokenizer.describe()).startsWith("byte pairs");
            assertThat(tokenizer.tokens("e\u0301clair")).containsExactly(small.id("\u00e9clair"));
            assertOraclesIds(
                    tokenizer, HostileTexts.make(SEED, 200, List.of("\u00e9clair", "e\u0301clair", "<|im_end|>")));
        }

        @Test
        void givesTheOracleTextsWithTokensThatTakeBlanksBesideThem() throws IOException {
            var tokenizer = load(SmallTokenizer.likeQwen()
                    .added("<mask>", token -> token.put("lstrip", true).put("rstrip", true))
                    .added("word", token -> token.put("single_word", true)));

            assertThat(tokenizer.describe()).startsWith("byte pairs");
            assertOraclesIds(
                    tokenizer, HostileTexts.make(SEED, 200, List.of("<mask>", " word ", "words", "<|im_end|>")));
        }
    }

    @Nested
    class TheOracle {
        @Test
        void doesWhatTheFastPathDoesNotKnow() throws IOException {
            var tokenizer = load(SmallTokenizer.likeLlama2());

            assertThat(tokenizer.describe()).isEqualTo("djl: normalizer \"Prepend\"");
            assertOraclesIds(tokenizer, HostileTexts.make(SEED, 300, List.of("<s>", "</s>")));
        }

        @Test
        void isNotCutShortByTheFile() throws IOException {
            var tokenizer = load(SmallTokenizer.likeLlama2()
                    .with(root -> root.putObject("truncation")
                            .put("direction", "Right")
                            .put("max_length", 8)
                            .put("strategy", "LongestFirst")
                            .put("stride", 0)));

            assertThat(tokenizer.tokens("a b c d e f g h i j k")).hasSizeGreaterThan(8);
        }
    }

    @Test
    void putsTheBeginningBeforeATextOfItsOwn() throws IOException {
        var small = SmallTokenizer.likeLlama3();
        var tokenizer = load(small);

        int[] bare = tokenizer.tokens("hello");
        int[] around = tokenizer.tokensWithSpecials("hello");

        assertThat(around[0]).isEqualTo(small.id("<|begin_of_text|>"));
        assertThat(Arrays.copyOfRange(around, 1, around.length)).isEqualTo(bare);
    }

    @Test
    void leavesTheBeginningToTheConfigOfClassesThatReadItThere() throws IOException {
        Files.writeString(
                directory.resolve("tokenizer_config.json"),
                "{\"tokenizer_class\":\"LlamaTokenizerFast\",\"add_bos_token\":true,\"bos_token\":\"<|im_start|>\"}");
        var small = SmallTokenizer.likeQwen();

        assertThat(load(small).tokensWithSpecials("x")[0]).isEqualTo(small.id("<|im_start|>"));
    }

    @Test
    void knowsTokensThatOnlyTheConfigNames() throws IOException {
        var small = SmallTokenizer.likeQwen();
        int id = small.id("<tool_call>") + 1;
        Files.writeString(
                directory.resolve("tokenizer_config.json"),
                "{\"added_tokens_decoder\":{\"" + id
                        + "\":{\"content\":\"<think>\",\"special\":false,\"normalized\":false,"
                        + "\"lstrip\":false,\"rstrip\":false,\"single_word\":false}}}");

        assertThat(load(small).tokens("<think>")).containsExactly(id);
    }

    @Test
    void tokenizesOnlyWhatIsNewInALaterTurn() throws IOException {
        var tokenizer = load(SmallTokenizer.likeQwen());
        String first = "<|im_start|>" + "a long question ".repeat(10) + "<|im_end|>";

        tokenizer.tokens(first);
        tokenizer.tokens(first + "<|im_start|>" + "a long answer ".repeat(10) + "<|im_end|>");

        assertThat(cache.counts().hits()).isEqualTo(1);
        assertThat(cache.counts().misses()).isEqualTo(2);
    }

    @Test
    void refusesHalfACharacterWithoutQuotingTheText() throws IOException {
        var tokenizer = load(SmallTokenizer.likeQwen());

        assertThatThrownBy(() -> tokenizer.tokens("secret \ud83d text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("text: half a surrogate pair (expected: well-formed UTF-16)");
    }

    @Test
    void namesTheFileThatIsMissing() {
        assertThatThrownBy(() -> ModelTokenizer.load(directory, cache))
                .isInstanceOf(IOException.class)
                .hasMessage(directory.resolve("tokenizer.json") + ": missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "{}",
                "{\"model\":{}}",
                "{\"model\":{\"type\":\"BPE\",\"vocab\":{},\"merges\":[[\"a\",\"b\"]]}}"
            })
    void namesTheFileThatIsBroken(String json) throws IOException {
        Files.writeString(directory.resolve("tokenizer.json"), json);

        assertThatThrownBy(() -> ModelTokenizer.load(directory, cache))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(directory.resolve("tokenizer.json") + ": ");
    }

    @Test
    void leavesNoFileOfTheLibraryBehind() throws IOException {
        load(SmallTokenizer.likeGpt2());

        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("kvrouter-tokenizers")))
                    .isEmpty();
        }
    }
}
