package io.kvrouter.http.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.tokenizer.ModelTokenizer;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokenizer.SmallTokenizer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelTokensTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEXT = "<|begin_of_text|>user: look at <image> and say what it is";

    private final SmallTokenizer small = SmallTokenizer.likeLlama3();
    private ModelTokenizer tokenizer;
    private ModelTokens model;

    @BeforeEach
    void load(@TempDir Path directory) throws IOException {
        tokenizer = ModelTokenizer.load(small.write(directory), new SegmentCache(1 << 20));
        model = new ModelTokens(
                tokenizer,
                request ->
                        new PromptTemplate.Rendered(TEXT, request.path("keyed").asInt(TEXT.length())));
    }

    @AfterEach
    void close() {
        model.close();
    }

    private TokenizedPrompt of(String body) throws UntokenizableException, IOException {
        return model.of(json(body));
    }

    private static JsonNode json(String body) throws IOException {
        return JSON.readTree(body.replace('\'', '"'));
    }

    private int beginning() {
        return small.id("<|begin_of_text|>");
    }

    @Nested
    class AChat {
        @Test
        void hasNothingAroundItsRenderedText() throws Exception {
            var prompt = of("{'messages':[]}");

            assertThat(prompt.tokens()).isEqualTo(tokenizer.tokens(TEXT)).startsWith(beginning());
            assertThat(prompt.tokens()[1]).isNotEqualTo(beginning());
            assertThat(prompt.keyed()).isEqualTo(prompt.tokens().length);
        }

        @Test
        void hasABeginningMoreWhereItAsksForIt() throws Exception {
            assertThat(of("{'messages':[],'add_special_tokens':true}").tokens()).startsWith(beginning(), beginning());
        }

        @Test
        void isKeyedUpToTheWordBeforeWhatCantBeKeyed() throws Exception {
            int known = TEXT.indexOf("<image>");

            var prompt = of("{'messages':[],'keyed':" + known + "}");

            assertThat(prompt.tokens()).isEqualTo(tokenizer.tokens(TEXT));
            assertThat(prompt.keyed()).isEqualTo(tokenizer.tokens(TEXT.substring(0, known - 1)).length);
        }

        @Test
        void isNotKeyedWhereItsFirstWordIsUnknown() throws Exception {
            assertThat(of("{'messages':[],'keyed':3}").keyed()).isZero();
        }
    }

    @Nested
    class ACompletion {
        @Test
        void beginsAsTheModelWantsATextToBegin() throws Exception {
            assertThat(of("{'prompt':'hello'}").tokens()).isEqualTo(tokenizer.tokensWithSpecials("hello"));
        }

        @Test
        void hasNothingAroundItWhereItSaysSo() throws Exception {
            assertThat(of("{'prompt':'hello','add_special_tokens':false}").tokens())
                    .isEqualTo(tokenizer.tokens("hello"));
        }

        @Test
        void ofTokenIdsIsTakenAsItIs() throws Exception {
            assertThat(of("{'prompt':[7,8,9]}").tokens()).containsExactly(7, 8, 9);
        }

        @Test
        void ofSeveralTextsIsKeyedByTheFirst() throws Exception {
            var prompt = of("{'prompt':['hello','a second one']}");

            assertThat(prompt.keyed()).isEqualTo(tokenizer.tokensWithSpecials("hello").length);
            assertThat(prompt.tokens()).hasSize(prompt.keyed() + tokenizer.tokensWithSpecials("a second one").length);
        }

        @Test
        void ofSeveralListsOfIdsIsKeyedByTheFirst() throws Exception {
            var prompt = of("{'prompt':[[1,2,3],[4,5]]}");

            assertThat(prompt.tokens()).containsExactly(1, 2, 3, 4, 5);
            assertThat(prompt.keyed()).isEqualTo(3);
        }

        @Test
        void thatIsCutAtTheFrontHasItsLastTokens() throws Exception {
            var prompt = of("{'prompt':[1,2,3,4,5],'truncate_prompt_tokens':2}");

            assertThat(prompt.tokens()).containsExactly(4, 5);
            assertThat(prompt.keyed()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'prompt':null}",
                "{'prompt':{}}",
                "{'prompt':[]}",
                "{'prompt':['a',1]}",
                "{'prompt':[1,'a']}",
                "{'prompt':[1.5]}",
                "{'prompt':[-1]}",
                "{'prompt':[[[1]]]}",
                "{'prompt':'secret \\ud83d'}",
                "{'prompt_embeds':'secret','prompt':'x'}",
                "{'messages':[],'chat_template':'secret'}"
            })
    void whatIsNoPromptIsRefusedWithoutQuotingIt(String body) {
        assertThatThrownBy(() -> of(body))
                .isInstanceOf(UntokenizableException.class)
                .hasMessageNotContaining("secret")
                .hasNoCause();
    }
}
