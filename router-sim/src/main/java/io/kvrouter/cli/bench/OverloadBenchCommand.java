package io.kvrouter.cli.bench;

import io.kvrouter.bench.overload.OverloadBench;
import io.kvrouter.bench.overload.OverloadPlan;
import io.kvrouter.bench.overload.OverloadReport;
import io.kvrouter.cli.bench.options.ReportOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** More requests than the workers can serve, with admission and without it. */
@Command(
        name = "overload",
        mixinStandardHelpOptions = true,
        description = "Sends one node more requests than its workers can serve, with admission and without it.",
        footerHeading = "%nWhat is measured:%n",
        footer = {OverloadReport.LEGEND, "Exit codes: 0 sound, 1 not."})
final class OverloadBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--workers", defaultValue = "4", description = "Simulated workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--sequences",
            defaultValue = "8",
            description = "That each runs at once: its cap (default: ${DEFAULT-VALUE}).")
    private int sequences;

    @Option(names = "--queue", defaultValue = "64", description = "Requests that wait (default: ${DEFAULT-VALUE}).")
    private int queue;

    @Option(
            names = "--factors",
            split = ",",
            defaultValue = "1,2,5",
            description = "Loads, in multiples of the capacity (default: ${DEFAULT-VALUE}).")
    private List<Double> factors = List.of();

    @Option(names = "--seconds", defaultValue = "120", description = "Of each load (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--patience",
            defaultValue = "5",
            description = "S after which a client gives up (default: ${DEFAULT-VALUE}).")
    private double patience;

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.tell(OverloadBench.run(plan(), report.progress()), "NOT SOUND: see what is measured, --help");
    }

    private OverloadPlan plan() {
        try {
            return new OverloadPlan(workers, sequences, queue, factors, time(seconds), time(patience));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static Duration time(double seconds) {
        return Duration.ofMillis((long) (seconds * 1e3));
    }
}
