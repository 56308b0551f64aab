package io.kvrouter.cli.bench;

import io.kvrouter.bench.streams.StreamsBench;
import io.kvrouter.bench.streams.StreamsPlan;
import io.kvrouter.bench.streams.StreamsReport;
import io.kvrouter.cli.bench.options.ReportOptions;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What streams in which nothing moves take of a node. Starts one, on free ports. */
@Command(
        name = "streams",
        mixinStandardHelpOptions = true,
        description =
                "Measures what a node takes for streams in which nothing moves, and for readers that do not read.",
        footerHeading = "%nWhat the figures are:%n",
        footer = {StreamsReport.LEGEND, "Exit codes: 0 measured, 1 a stream was lost, or a reader held nothing up."})
final class StreamsBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--streams", defaultValue = "5000", description = "Idle streams (default: ${DEFAULT-VALUE}).")
    private int idle;

    @Option(names = "--slow", defaultValue = "50", description = "Slow readers (default: ${DEFAULT-VALUE}).")
    private int slow;

    @Option(names = "--set", description = "KEY=VALUE: any setting of the node by its full key; may be repeated.")
    private Map<String, String> settings = Map.of();

    @Mixin
    private final ReportOptions report = new ReportOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.tell(
                StreamsBench.run(plan(), settings, report.progress()),
                "a stream was lost, or readers that do not read held nothing up");
    }

    private StreamsPlan plan() {
        try {
            return new StreamsPlan(idle, slow);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
