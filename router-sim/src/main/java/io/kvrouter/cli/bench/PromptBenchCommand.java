package io.kvrouter.cli.bench;

import io.kvrouter.bench.prompt.PromptBench;
import io.kvrouter.bench.prompt.PromptPlan;
import io.kvrouter.bench.prompt.PromptReport;
import io.kvrouter.cli.launch.ChildNode;
import io.kvrouter.cli.launch.NodeFlags;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What long prompts cost a node. Starts a worker and a node as processes of their own, on free ports. */
@Command(
        name = "prompt",
        mixinStandardHelpOptions = true,
        description = "Measures the CPU time that a node takes for requests with long prompts, step by step.",
        footer = {"", "Exit codes: 0 measured, 1 a request failed or the node did not make the model's tokens."})
final class PromptBenchCommand implements Callable<Integer> {
    private static final Pattern API_PORT = Pattern.compile("api=(\\d+)");
    private static final String MODEL = "sim-model";
    private static final String NO_ENGINE_TIME = "1000000";

    /** Of 64 tokens, so that a round's conversations stay in the worker's cache. */
    private static final int BLOCKS = 262_144;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--model-dir",
            required = true,
            paramLabel = "DIR",
            description = "A model's directory, with tokenizer.json and chat template.")
    private Path directory = Path.of("");

    @Option(names = "--tokens", defaultValue = "100000", description = "Of a first turn (default: ${DEFAULT-VALUE}).")
    private int tokens;

    @Option(
            names = "--new-tokens",
            defaultValue = "1000",
            description = "Added by a later turn (default: ${DEFAULT-VALUE}).")
    private int newTokens;

    @Option(
            names = "--later-turns",
            defaultValue = "3",
            description = "Of each conversation (default: ${DEFAULT-VALUE}).")
    private int laterTurns;

    @Option(names = "--conversations", defaultValue = "30", description = "Of a round (default: ${DEFAULT-VALUE}).")
    private int conversations;

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds measured (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "10", description = "Rounds before those (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Override
    public Integer call() throws InterruptedException {
        PromptPlan plan = plan();
        PrintWriter err = spec.commandLine().getErr();
        try (var bench = PromptBench.load(plan, directory)) {
            bench.measureStages();
            measureRequests(bench);
            PromptReport report = bench.report();
            spec.commandLine().getOut().print(report.text());
            spec.commandLine().getOut().flush();
            if (!report.sound()) {
                err.println("the overlap that the node told is not that of the model's tokens");
            }
            return report.sound() ? 0 : 1;
        } catch (IOException e) {
            err.println(e.getMessage());
            return 1;
        }
    }

    private PromptPlan plan() {
        try {
            return new PromptPlan(tokens, newTokens, laterTurns, conversations, rounds, warmUp);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** The worker's own tokens are not the model's: it must not offer them, or the node would take its word for it. */
    private void measureRequests(PromptBench bench) throws IOException, InterruptedException {
        try (ChildNode worker = ChildNode.startWorkers(List.of(
                "--count=1", "--port=0", "--no-tokenize", "--kv-blocks=" + BLOCKS, "--speedup=" + NO_ENGINE_TIME))) {
            String workerUrl = worker.ready().join();
            try (ChildNode node = ChildNode.start(nodeArguments(workerUrl))) {
                var router =
                        URI.create("http://127.0.0.1:" + apiPort(node.ready().join()));
                bench.measureRequests(
                        new PromptBench.Subject(router, () -> node.cpu().toNanos()));
            }
        }
    }

    private List<String> nodeArguments(String workerUrl) {
        var flags = new NodeFlags();
        flags.apiPort("0");
        flags.managementPort("0");
        flags.remotingPort("0");
        flags.workerUrls(workerUrl);
        flags.modelDirectories(Map.of(MODEL, directory.toAbsolutePath().toString()));
        flags.set("kvrouter.shutdown.grace", "0s");
        return flags.asArguments();
    }

    private static int apiPort(String readyLine) {
        Matcher port = API_PORT.matcher(readyLine);
        if (!port.find()) {
            throw new IllegalStateException("a node's ready line: " + readyLine + " (expected: api=PORT)");
        }
        return Integer.parseInt(port.group(1));
    }
}
