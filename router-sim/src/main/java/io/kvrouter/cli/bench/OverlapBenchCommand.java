package io.kvrouter.cli.bench;

import io.kvrouter.bench.overlap.Comparison;
import io.kvrouter.bench.overlap.OverlapRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Whether the router's overlap is what the engines find cached: asks a router that runs. */
@Command(
        name = "overlap",
        mixinStandardHelpOptions = true,
        description =
                "Compares the overlap that a running router tells with the cached tokens that its workers report.",
        footer = {
            "",
            "For example, each in a shell of its own:",
            "  ./router sim --count 8 --kv-blocks 2000 --block-size 16 --speedup 20 --kv-events 33000",
            "  ./router node --worker-urls ... (see README, exact overlap)",
            "  ./router bench overlap",
            "Exit codes: 0 at most 0.5 %% of the requests differ, 1 more do."
        })
final class OverlapBenchCommand implements Callable<Integer> {
    private static final int PER_MILLE = 1_000;
    private static final int TOLERATED_PER_MILLE = 5;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--router",
            defaultValue = "http://127.0.0.1:30000",
            description = "API (default: ${DEFAULT-VALUE}).")
    private URI router = URI.create("http://127.0.0.1:30000");

    @Option(names = "--model", defaultValue = "sim-model", description = "Model (default: ${DEFAULT-VALUE}).")
    private String model = "";

    @Option(names = "--requests", defaultValue = "2000", description = "Requests in all (default: ${DEFAULT-VALUE}).")
    private int requests;

    @Option(
            names = "--concurrency",
            defaultValue = "4",
            description = "Conversations at a time (default: ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(names = "--think-ms", defaultValue = "20", description = "Between turns (default: ${DEFAULT-VALUE}).")
    private long thinkMs;

    @Option(names = "--seed", defaultValue = "1", description = "Of the conversations (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var shape = new OverlapRun.Shape(
                model, requests, concurrency, OverlapRun.Pause.of(Duration.ofMillis(thinkMs)), seed);
        List<Comparison> compared = OverlapRun.run(router, shape);
        PrintWriter out = spec.commandLine().getOut();
        List<Comparison> different = compared.stream().filter(c -> !c.equal()).toList();
        long overlap = compared.stream().mapToLong(Comparison::overlapTokens).sum();
        long cached = compared.stream().mapToLong(Comparison::cachedTokens).sum();
        long prompt = compared.stream().mapToLong(Comparison::promptTokens).sum();
        out.printf("requests %d, prompt tokens %d%n", compared.size(), prompt);
        out.printf("overlap that the router told  %d tokens%n", overlap);
        out.printf("cached that the workers found %d tokens%n", cached);
        out.printf("different %d requests (%.2f %%)%n", different.size(), 100.0 * different.size() / compared.size());
        different.forEach(c -> out.println("  " + c));
        out.flush();
        return different.size() * PER_MILLE <= compared.size() * TOLERATED_PER_MILLE ? 0 : 1;
    }
}
