package io.kvrouter.bench.prompt;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.openai.CompletionBody;
import io.kvrouter.http.template.ChatTemplate;
import io.kvrouter.http.template.ChatTemplateFiles;
import io.kvrouter.http.tokenizer.ModelTokenizer;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.kv.Prompt;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Clock;
import java.util.SplittableRandom;

/**
 * The router's own classes in this process, on one thread, one step after the other, each by the thread's CPU time: what
 * the collector and the compiler do beside it does not count here.
 */
final class Stages implements AutoCloseable {
    /** As a node is set by default. */
    private static final long CACHE_BYTES = 256L << 20;

    private static final int SAMPLE_CHARACTERS = 200_000;
    private static final int SMALL_BLOCK = 16;

    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build());

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final ModelTokenizer tokenizer;
    private final ChatTemplate template;
    private final Desk few = new Desk(8);
    private final Desk many = new Desk(1_024);

    private Stages(ModelTokenizer tokenizer, ChatTemplate template) {
        this.tokenizer = tokenizer;
        this.template = template;
    }

    /** @throws IOException naming what is missing or broken in the directory */
    static Stages load(Path directory) throws IOException {
        ChatTemplate template = ChatTemplateFiles.read(directory)
                .orElseThrow(() -> new IOException(directory + ": no chat template (expected: one of this model)"));
        return new Stages(ModelTokenizer.load(directory, new SegmentCache(CACHE_BYTES)), template);
    }

    /** Characters of conversations that make so many tokens, about. */
    int characters(int tokens) {
        String sample = LongChat.text(new SplittableRandom(1), SAMPLE_CHARACTERS);
        return (int) ((long) tokens * SAMPLE_CHARACTERS / tokenizer.tokens(sample).length);
    }

    /** Takes a request the whole way; answers how many tokens it has. */
    int measure(byte[] body, Medians<Stage> medians) throws IOException {
        long start = threads.getCurrentThreadCpuTime();
        CompletionBody fields = CompletionBody.parse(body);
        long time = lap(Stage.SCAN, start, medians);
        JsonNode tree = JSON.readTree(body);
        time = lap(Stage.TREE, time, medians);
        String text = template.render(tree, Clock.systemUTC()).text();
        time = lap(Stage.RENDER, time, medians);
        int[] tokens = tokenizer.tokens(text);
        time = lap(Stage.TOKENIZE, time, medians);
        String salt = fields.cacheSalt().orElse("");
        Prompt prompt = Prompt.ofTokens(tokens, tokens.length, "", salt);
        prompt.chain(Desk.BLOCK_SIZE);
        time = lap(Stage.HASH_64, time, medians);
        Prompt.ofTokens(tokens, tokens.length, "", salt).chain(SMALL_BLOCK);
        time = lap(Stage.HASH_16, time, medians);
        few.select(prompt);
        time = lap(Stage.SELECT_8, time, medians);
        many.select(prompt);
        lap(Stage.SELECT_1024, time, medians);
        few.end();
        many.end();
        return tokens.length;
    }

    private long lap(Stage stage, long start, Medians<Stage> medians) {
        medians.add(stage, threads.getCurrentThreadCpuTime() - start);
        return threads.getCurrentThreadCpuTime();
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
