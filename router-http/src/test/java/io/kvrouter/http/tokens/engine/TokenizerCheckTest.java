package io.kvrouter.http.tokens.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.access.WorkerCredentials;
import io.kvrouter.http.testing.TestAuthority;
import io.kvrouter.http.tokenizer.ModelTokenizer;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokenizer.SmallTokenizer;
import io.kvrouter.http.tokens.ModelTokens;
import io.kvrouter.http.tokens.PromptTemplate;
import io.kvrouter.http.tokens.UntokenizableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerCheckTest {
    private static final PromptTemplate TEMPLATE = request -> {
        String text = "<|im_start|>" + request.path("messages") + request.path("tools");
        return new PromptTemplate.Rendered(text, text.length());
    };

    private final FakeEngine engine = new FakeEngine();
    private final EngineTokenizer tokenizer =
            new EngineTokenizer(Duration.ofSeconds(20), TestAuthority.platform(), WorkerCredentials.NONE);
    private ModelTokens model;

    @BeforeEach
    void load(@TempDir Path directory) throws IOException {
        var small = SmallTokenizer.likeQwen().write(directory);
        model = new ModelTokens(ModelTokenizer.load(small, new SegmentCache(0)), TEMPLATE);
    }

    @AfterEach
    void close() {
        model.close();
        tokenizer.close();
        engine.close();
    }

    private TokenizerCheck.Result check() {
        return new TokenizerCheck(tokenizer)
                .check(engine.url(), "m", model)
                .toCompletableFuture()
                .join();
    }

    private String right(JsonNode request) {
        try {
            int[] tokens = model.of(request).tokens();
            return "{\"count\":1,\"tokens\":" + Arrays.toString(tokens) + "}";
        } catch (UntokenizableException e) {
            return "400";
        }
    }

    @Test
    void anEngineWithTheSameTokensIsExact() {
        engine.with("/tokenize", this::right);

        assertThat(check()).isEqualTo(new TokenizerCheck.Result.Exact(8, 4));
        assertThat(engine.requests())
                .allSatisfy(
                        request -> assertThat(request.path("model").asText()).isEqualTo("m"));
    }

    @Test
    void anEngineWithOtherTokensDiffersAtASampleThatIsNamed() {
        engine.with("/tokenize", request -> request.has("tools") ? "{\"count\":2,\"tokens\":[1,2]}" : right(request));

        assertThat(check()).isEqualTo(new TokenizerCheck.Result.Differs("chat: tools offered", 0));
    }

    @Test
    void anEngineThatTakesTextsOnlyIsComparedByThem() {
        engine.with("/tokenize", request -> request.has("messages") ? "422" : right(request));

        assertThat(check()).isEqualTo(new TokenizerCheck.Result.Exact(0, 4));
    }

    @Test
    void anEngineWithoutTheEndpointDoesNotOfferIt() {
        engine.with("/tokenize", request -> "404");

        assertThat(check()).isEqualTo(new TokenizerCheck.Result.NotOffered());
    }

    @Test
    void anEngineThatFailsTellsNothing() {
        engine.with("/tokenize", request -> "500");

        assertThat(check()).isInstanceOf(TokenizerCheck.Result.Unknown.class);
    }
}
