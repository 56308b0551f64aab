package io.kvrouter.http.tokens.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.access.WorkerCredentials;
import io.kvrouter.http.openai.Cause;
import io.kvrouter.http.testing.TestAuthority;
import io.kvrouter.http.tokens.TokenizedPrompt;
import io.kvrouter.http.tokens.engine.EngineTokenizeException.Kind;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTokenizerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CHAT = "{'model':'m','messages':[{'role':'user','content':'secret'}],'tools':[1],"
            + "'chat_template_kwargs':{'a':1},'temperature':0.5,'stream':true}";

    private final FakeEngine engine = new FakeEngine();
    private final EngineTokenizer tokenizer =
            new EngineTokenizer(Duration.ofSeconds(20), TestAuthority.platform(), WorkerCredentials.NONE);

    @AfterEach
    void close() {
        tokenizer.close();
        engine.close();
    }

    private TokenizedPrompt ask(String body) throws IOException {
        return tokenizer.tokens(engine.url(), json(body)).toCompletableFuture().join();
    }

    private static JsonNode json(String body) throws IOException {
        return JSON.readTree(body.replace('\'', '"'));
    }

    private EngineTokenizeException failure(URI url, String body) {
        Throwable thrown = catchThrowable(
                () -> tokenizer.tokens(url, json(body)).toCompletableFuture().join());
        assertThat(Cause.of(thrown)).isInstanceOf(EngineTokenizeException.class).hasMessageNotContaining("secret");
        return (EngineTokenizeException) Cause.of(thrown);
    }

    @Nested
    class Vllm {
        @Test
        void isAskedWithWhatChangesTheTokens() throws IOException {
            engine.with(
                    "/tokenize", request -> "{\"count\":3,\"max_model_len\":9,\"tokens\":[1,2,3],\"token_strs\":null}");

            var prompt = ask(CHAT);

            assertThat(prompt.tokens()).containsExactly(1, 2, 3);
            assertThat(prompt.keyed()).isEqualTo(3);
            assertThat(engine.requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.fieldNames())
                            .toIterable()
                            .containsExactlyInAnyOrder("model", "messages", "tools", "chat_template_kwargs"));
        }

        @Test
        void keysNothingOfAChatWithImages() throws IOException {
            engine.with("/tokenize", request -> "{\"count\":3,\"tokens\":[1,2,3]}");

            var prompt = ask("{'messages':[{'role':'user','content':[{'type':'image_url','image_url':{}}]}]}");

            assertThat(prompt.tokens()).hasSize(3);
            assertThat(prompt.keyed()).isZero();
        }
    }

    @Nested
    class LlamaCpp {
        private void start() {
            engine.with(
                            "/tokenize",
                            request -> request.has("content")
                                    ? "{\"tokens\":["
                                            + (request.path("add_special").asBoolean() ? "1," : "") + "5]}"
                                    : "{\"tokens\":[]}")
                    .with("/apply-template", request -> "{\"prompt\":\"<rendered>\"}");
        }

        @Test
        void rendersAChatFirst() throws IOException {
            start();

            assertThat(ask(CHAT).tokens()).containsExactly(1, 5);
            assertThat(engine.requests().getLast().path("content").asText()).isEqualTo("<rendered>");
            assertThat(engine.requests().getLast().path("parse_special").asBoolean())
                    .isTrue();
        }

        @Test
        void isGivenATextAsItsContent() throws IOException {
            start();

            assertThat(ask("{'prompt':'a'}").tokens()).containsExactly(1, 5);
            assertThat(ask("{'prompt':'a','add_special_tokens':false}").tokens())
                    .containsExactly(5);
        }

        @Test
        void hasNoTokensForSeveralTexts() {
            start();

            assertThat(failure(engine.url(), "{'prompt':['secret','b']}").kind())
                    .isEqualTo(Kind.NOT_OFFERED);
        }
    }

    @ParameterizedTest
    @CsvSource({"404,NOT_OFFERED", "405,NOT_OFFERED", "501,NOT_OFFERED", "400,REFUSED", "422,REFUSED", "500,FAILED"})
    void toldByTheStatusWhatIsWrong(String status, Kind kind) {
        engine.with("/tokenize", request -> status);

        assertThat(failure(engine.url(), CHAT).kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"secret", "[1]", "{}", "{\"tokens\":\"secret\"}", "{\"tokens\":[\"secret\"]}", "{\"tokens\":[1"})
    void anAnswerThatCantBeReadIsAFailure(String answer) {
        engine.with("/tokenize", request -> answer);

        assertThat(failure(engine.url(), CHAT).kind()).isEqualTo(Kind.FAILED);
    }

    @Test
    void anEngineThatIsGoneIsAFailure() {
        engine.close();

        assertThat(failure(engine.url(), CHAT).kind()).isEqualTo(Kind.FAILED);
    }
}
