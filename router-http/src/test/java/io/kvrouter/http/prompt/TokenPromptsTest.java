package io.kvrouter.http.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.access.WorkerCredentials;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.testing.TestAuthority;
import io.kvrouter.http.tokenizer.ModelTokenizer;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokenizer.SmallTokenizer;
import io.kvrouter.http.tokens.ModelTokens;
import io.kvrouter.http.tokens.PromptTemplate;
import io.kvrouter.http.tokens.UntokenizableException;
import io.kvrouter.http.tokens.engine.EngineTokenizer;
import io.kvrouter.http.tokens.engine.FakeEngine;
import io.kvrouter.kv.Prompt;
import io.kvrouter.worker.Demand;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenPromptsTest {
    private static final Demand DEMAND = new Demand("default", "m", Set.of());
    private static final String BODY = "{\"model\":\"m\",\"messages\":[],\"cache_salt\":\"s\"}";

    private final FakeEngine engine = new FakeEngine();
    private final EngineTokenizer engines =
            new EngineTokenizer(Duration.ofSeconds(20), TestAuthority.platform(), WorkerCredentials.NONE);
    private final CountDownLatch rendering = new CountDownLatch(1);
    private Optional<String> text = Optional.of("<|im_start|>hello");
    private Supplier<Optional<URI>> asked = Optional::empty;
    private ModelTokenizer tokenizer;
    private TokenPrompts prompts;

    @BeforeEach
    void load(@TempDir Path directory) throws IOException {
        tokenizer = ModelTokenizer.load(SmallTokenizer.likeQwen().write(directory), new SegmentCache(0));
        var model = new ModelTokens(tokenizer, request -> {
            if (request.has("tools")) {
                await();
            }
            String rendered = text.orElseThrow(() -> new UntokenizableException("refused"));
            return new PromptTemplate.Rendered(rendered, rendered.length());
        });
        prompts = new TokenPrompts(
                (demand, adapter) -> demand.model().equals("m") ? Optional.of(model) : Optional.empty(),
                engines,
                new TokenPrompts.Engines() {
                    @Override
                    public Optional<URI> of(Demand demand) {
                        return asked.get();
                    }

                    @Override
                    public void without(URI engine) {
                        asked = Optional::empty;
                    }
                },
                new TokenPrompts.Limits(1, 1));
    }

    private void await() {
        try {
            rendering.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void close() {
        rendering.countDown();
        prompts.close();
        engines.close();
        engine.close();
        tokenizer.close();
    }

    private Prompt read(Demand demand, String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return prompts.of(demand, "", CompletionBody.parse(bytes), bytes)
                .read()
                .toCompletableFuture()
                .join();
    }

    @Test
    void aModelWhoseFilesAreKnownIsTokenizedHere() {
        var prompt = read(DEMAND, BODY);

        int[] tokens = tokenizer.tokens("<|im_start|>hello");
        var same = Prompt.ofTokens(tokens, tokens.length, "", "s");
        assertThat(prompt.exact()).isTrue();
        assertThat(prompt.prefixHash()).isEqualTo(same.prefixHash());
        assertThat(prompts.counts()).isEqualTo(new PromptCounts(1, 0, 0, 0));
    }

    @Test
    void aModelWithoutFilesIsAskedOfAnEngine() {
        engine.with("/tokenize", request -> "{\"count\":3,\"tokens\":[1,2,3]}");
        asked = () -> Optional.of(engine.url());

        var prompt = read(new Demand("default", "other", Set.of()), BODY);

        assertThat(prompt.exact()).isTrue();
        assertThat(prompt.tokens()).isEqualTo(3);
        assertThat(prompts.counts()).isEqualTo(new PromptCounts(0, 1, 0, 0));
    }

    @Test
    void whatCantBeRenderedHereIsAskedOfAnEngine() {
        engine.with("/tokenize", request -> "{\"count\":3,\"tokens\":[1,2,3]}");
        asked = () -> Optional.of(engine.url());
        text = Optional.empty();

        assertThat(read(DEMAND, BODY).tokens()).isEqualTo(3);
    }

    @Test
    void withNeitherFilesNorAnEngineItStaysText() {
        var prompt = read(new Demand("default", "other", Set.of()), BODY);

        assertThat(prompt.exact()).isFalse();
        assertThat(prompts.counts()).isEqualTo(new PromptCounts(0, 0, 1, 0));
    }

    @Test
    void anEngineThatFailsLeavesItText() {
        engine.with("/tokenize", request -> "500");
        asked = () -> Optional.of(engine.url());
        text = Optional.empty();

        assertThat(read(DEMAND, BODY).exact()).isFalse();
    }

    @Test
    void whenTooManyWaitForAThreadAFurtherOneStaysText() {
        String slow = "{\"model\":\"m\",\"messages\":[],\"tools\":[]}";
        byte[] bytes = slow.getBytes(StandardCharsets.UTF_8);
        var first = prompts.of(DEMAND, "", CompletionBody.parse(bytes), bytes).read();
        var second = prompts.of(DEMAND, "", CompletionBody.parse(bytes), bytes).read();

        assertThat(read(DEMAND, BODY).exact()).isFalse();
        assertThat(prompts.counts().busy()).isEqualTo(1);

        rendering.countDown();
        assertThat(first.toCompletableFuture().join().exact()).isTrue();
        assertThat(second.toCompletableFuture().join().exact()).isTrue();
    }
}
