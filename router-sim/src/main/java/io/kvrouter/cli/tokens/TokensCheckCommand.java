package io.kvrouter.cli.tokens;

import io.kvrouter.http.tokenizer.HostileTexts;
import io.kvrouter.http.tokenizer.ModelTokenizer;
import io.kvrouter.http.tokenizer.OrdinaryText;
import io.kvrouter.http.tokenizer.SegmentCache;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares a model's tokens with those of Hugging Face's library, and measures both. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Compares a model's tokens with those of Hugging Face's library, and measures both.",
        footer = {"", "Exit codes: 0 all the same, 1 a text had other tokens, 2 no tokenizer there."})
final class TokensCheckCommand implements Callable<Integer> {
    private static final long CACHE_BYTES = 64L << 20;
    private static final int PROMPT_CHARACTERS = 500_000;
    private static final double NANOS = 1e9;
    private static final double MICROS = 1e3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DIR", description = "The model's directory, with its tokenizer.json.")
    private Path directory = Path.of("");

    @Option(names = "--texts", defaultValue = "300", description = "Mixed texts (default: ${DEFAULT-VALUE}).")
    private int texts;

    @Option(names = "--seed", defaultValue = "1", description = "What they are made from (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--rounds",
            defaultValue = "12",
            description = "Of measuring; 0 = none (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        long start = System.nanoTime();
        try (var tokenizer = ModelTokenizer.load(directory, new SegmentCache(CACHE_BYTES))) {
            out.printf("%s (loaded in %.1f s)%n", tokenizer.describe(), (System.nanoTime() - start) / NANOS);
            int failed = compare(tokenizer, out);
            if (rounds > 0) {
                measure(tokenizer, out);
            }
            out.printf("%d passed, %d failed%n", texts - failed, failed);
            out.flush();
            return failed == 0 ? 0 : 1;
        } catch (IOException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return 2;
        }
    }

    private int compare(ModelTokenizer tokenizer, PrintWriter out) {
        int failed = 0;
        int number = 0;
        for (String text : HostileTexts.make(seed, texts, tokenizer.addedTokens())) {
            int index = Arrays.mismatch(tokenizer.tokens(text), tokenizer.oracleTokens(text));
            if (index >= 0) {
                failed++;
                out.printf("text %d of seed %d: another token at %d%n", number, seed, index);
            }
            number++;
        }
        return failed;
    }

    /** A long prompt, fresh each time; the same once more; and by the oracle. The best of the rounds each. */
    private void measure(ModelTokenizer tokenizer, PrintWriter out) {
        double fresh = 0;
        double known = 0;
        double oracle = 0;
        for (int round = 0; round < rounds; round++) {
            String prompt = OrdinaryText.of(seed + round, PROMPT_CHARACTERS);
            fresh = Math.max(fresh, perSecond(prompt, text -> tokenizer.tokens(text).length));
            known = Math.max(known, perSecond(prompt, text -> tokenizer.tokens(text).length));
            oracle = Math.max(oracle, perSecond(prompt, text -> tokenizer.oracleTokens(text).length));
        }
        out.printf(
                "million tokens/s of CPU: %.2f fresh, %.0f known, %.2f by Hugging Face's library%n",
                fresh, known, oracle);
    }

    /** Of this thread's own time: others on the machine do not count. */
    private static double perSecond(String text, ToIntFunction<String> tokens) {
        var threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        int count = tokens.applyAsInt(text);
        return count * MICROS / Math.max(1, threads.getCurrentThreadCpuTime() - start);
    }
}
