package io.kvrouter.http.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.kvrouter.http.template.ChatTemplate;
import io.kvrouter.http.template.ChatTemplateFiles;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokenizer.SmallTokenizer;
import io.kvrouter.kv.Prompt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A chat of 100 k tokens, from its body to the hashes of its blocks, and the parts of that way.
 *
 * <p>By default with a small vocabulary made here, which gives about twice as many tokens; with a real one by
 * {@code -Dmodel=DIR}, a model's directory. Run by hand, after {@code test-compile}, on this module's test class path:
 * {@code java -cp ... org.openjdk.jmh.Main -bm sample -jvmArgsAppend -Dmodel=DIR PromptTokens}
 *
 * <p>Microseconds with Qwen3 (105,234 tokens), JDK 25, 2026-11-29, on a machine that was busy with other work: least,
 * which is what it costs, and median. First turn 20,087 and 68,747, of which rendering and tokenizing 19,038; later
 * turn 1,489 and 1,937, of which parsing 299, rendering 331, tokenizing 865 (1,000 new tokens, 104,000 known).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(1)
public class PromptTokensBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long CACHE_BYTES = 256L << 20;
    private static final int BLOCK = 64;
    private static final Clock CLOCK = Clock.systemUTC();
    private static final String TEMPLATE = """
            {% for message in messages %}<|im_start|>{{ message.role }}
            {{ message.content }}<|im_end|>
            {% endfor %}<|im_start|>assistant
            """;

    private final ModelTokens model;
    private final ChatTemplate template;
    private long number;
    private byte[] fresh = {};
    private byte[] later = {};
    private JsonNode freshJson = MissingNode.getInstance();
    private JsonNode laterJson = MissingNode.getInstance();

    /** Loads the model, and has the first turn of the conversation tokenized. */
    public PromptTokensBenchmark() {
        try {
            Path directory = Path.of(System.getProperty("model", ""));
            if (directory.toString().isEmpty()) {
                directory = SmallTokenizer.likeQwen().write(Files.createTempDirectory("benchmark"));
                Files.writeString(directory.resolve("chat_template.jinja"), TEMPLATE);
            }
            model = ModelTokens.load(directory, new SegmentCache(CACHE_BYTES), CLOCK);
            template = ChatTemplateFiles.read(directory).orElseThrow();
            var first = model.of(JSON.readTree(new LongChat(0).turn(0)));
            System.getLogger("benchmark").log(System.Logger.Level.INFO, model.describe() + ", " + first);
        } catch (IOException | UntokenizableException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a conversation that is new, and the next turn of the known one. */
    @Setup(Level.Invocation)
    public void next() throws IOException {
        number++;
        fresh = new LongChat(number).turn(number);
        later = new LongChat(0).turn(number);
        freshJson = JSON.readTree(fresh);
        laterJson = JSON.readTree(later);
    }

    @TearDown
    public void close() {
        model.close();
    }

    @Benchmark
    public JsonNode parse() throws IOException {
        return JSON.readTree(later);
    }

    @Benchmark
    public ChatTemplate.Rendered render() {
        return template.render(laterJson, CLOCK);
    }

    @Benchmark
    public TokenizedPrompt renderAndTokenizeFirstTurn() throws UntokenizableException {
        return model.of(freshJson);
    }

    @Benchmark
    public TokenizedPrompt renderAndTokenizeLaterTurn() throws UntokenizableException {
        return model.of(laterJson);
    }

    /** All of it: parse, render, tokenize, hash. */
    @Benchmark
    public Object firstTurn() throws IOException, UntokenizableException {
        return hashed(model.of(JSON.readTree(fresh)));
    }

    /** All of it: parse, render, tokenize, hash. */
    @Benchmark
    public Object laterTurn() throws IOException, UntokenizableException {
        return hashed(model.of(JSON.readTree(later)));
    }

    private static Object hashed(TokenizedPrompt tokens) {
        return Prompt.ofTokens(tokens.tokens(), tokens.keyed(), "", "").chain(BLOCK);
    }
}
