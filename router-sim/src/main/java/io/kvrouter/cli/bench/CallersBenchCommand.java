package io.kvrouter.cli.bench;

import io.kvrouter.bench.callers.CallersBench;
import io.kvrouter.bench.callers.CallersPlan;
import io.kvrouter.bench.callers.CallersReport;
import io.kvrouter.cli.bench.options.ReportOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What two callers get of workers that are full, and how long each waits. */
@Command(
        name = "callers",
        mixinStandardHelpOptions = true,
        description =
                "Lets a caller with many clients and one with few ask a cluster for more than its workers can do.",
        footerHeading = "%nWhat is measured:%n",
        footer = {CallersReport.LEGEND, "Exit codes: 0 sound, 1 not."})
final class CallersBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", defaultValue = "3", description = "Nodes, each a JVM (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--workers", defaultValue = "1", description = "Simulated workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--sequences",
            defaultValue = "8",
            description = "That each runs at once: its cap, for all nodes together (default: ${DEFAULT-VALUE}).")
    private int sequences;

    @Option(
            names = "--greedy",
            defaultValue = "50",
            description = "Clients of the greedy caller (default: ${DEFAULT-VALUE}).")
    private int greedy;

    @Option(
            names = "--modest",
            defaultValue = "2",
            description = "Clients of the modest caller (default: ${DEFAULT-VALUE}).")
    private int modest;

    @Option(
            names = "--tokens",
            defaultValue = "40",
            description = "Of an answer on average, 6 ms each (default: ${DEFAULT-VALUE}).")
    private int tokens;

    @Option(names = "--seconds", defaultValue = "20", description = "Of each phase (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.tell(CallersBench.run(plan(), report.progress()), "NOT SOUND: see what is measured, --help");
    }

    private CallersPlan plan() {
        try {
            var time = Duration.ofMillis((long) (seconds * 1e3));
            return new CallersPlan(nodes, workers, sequences, greedy, modest, tokens, time);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
