package io.kvrouter.cli.bench;

import io.kvrouter.bench.Plan;
import io.kvrouter.bench.ProxyBench;
import io.kvrouter.bench.ProxyReport;
import io.kvrouter.bench.RowResult;
import io.kvrouter.cli.bench.options.ReportOptions;
import io.kvrouter.cli.launch.ChildNode;
import io.kvrouter.cli.launch.NodeFlags;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The latency that one node adds. Starts a worker and a node as processes of their own, on free ports. */
@Command(
        name = "proxy",
        mixinStandardHelpOptions = true,
        description =
                "Measures the latency that one node adds to requests, against the same sent straight to a worker.",
        footer = {"", "Exit codes: 0 measured, 1 a request failed or was not counted at the worker exactly once."})
final class ProxyBenchCommand implements Callable<Integer> {
    private static final Pattern API_PORT = Pattern.compile("api=(\\d+)");
    private static final String NO_ENGINE_TIME = "1000000";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--requests",
            defaultValue = "1000",
            description = "Of a row in a round (default: ${DEFAULT-VALUE}).")
    private int requests;

    @Option(names = "--concurrency", defaultValue = "64", description = "Connections (default: ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds measured (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "10", description = "Rounds before those (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--stream", description = "Answers as server-sent events.")
    private boolean stream;

    @Mixin
    private final ReportOptions report = new ReportOptions();

    @Override
    public Integer call() throws IOException {
        Plan plan = plan();
        return report.tell(
                new ProxyReport(plan, measure(plan)), "requests failed, or did not reach the worker exactly once each");
    }

    private Plan plan() {
        try {
            return new Plan(requests, concurrency, rounds, warmUp, stream);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static List<RowResult> measure(Plan plan) throws IOException {
        try (ChildNode worker =
                ChildNode.startWorkers(List.of("--count=1", "--port=0", "--speedup=" + NO_ENGINE_TIME))) {
            String workerUrl = worker.ready().join();
            try (ChildNode node = ChildNode.start(nodeArguments(workerUrl))) {
                var router =
                        URI.create("http://127.0.0.1:" + apiPort(node.ready().join()));
                return ProxyBench.run(
                        plan,
                        new ProxyBench.Subject(
                                URI.create(workerUrl), router, () -> node.cpu().toNanos()));
            }
        }
    }

    private static List<String> nodeArguments(String workerUrl) {
        var flags = new NodeFlags();
        flags.apiPort("0");
        flags.managementPort("0");
        flags.remotingPort("0");
        flags.workerUrls(workerUrl);
        flags.set("kvrouter.shutdown.grace", "0s");
        return flags.asArguments();
    }

    static int apiPort(String readyLine) {
        Matcher port = API_PORT.matcher(readyLine);
        if (!port.find()) {
            throw new IllegalStateException("a node's ready line: " + readyLine + " (expected: api=PORT)");
        }
        return Integer.parseInt(port.group(1));
    }
}
