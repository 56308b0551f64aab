package io.kvrouter.cli.bench;

import io.kvrouter.bench.load.LoadBench;
import io.kvrouter.bench.load.LoadReport;
import io.kvrouter.bench.load.LoadShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How soon the nodes of a cluster see each other's bookings. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = "Books load at several nodes, each a process, and measures when the others see it.",
        footer = {
            "",
            "The lag is measured by each node with its own clock: from the oldest change in an update until the other",
            "node's answer that it applied it is back.",
            "Exit codes: 0 every booking was visible everywhere, within a second; 1 not."
        })
final class LoadBenchCommand implements Callable<Integer> {
    private static final double MEDIAN = 0.5;
    private static final double NEARLY_ALL = 0.99;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", defaultValue = "4", description = "Nodes (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--workers", defaultValue = "1024", description = "Workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(names = "--rate", defaultValue = "7300", description = "Bookings a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seconds", defaultValue = "20", description = "Measured (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--warmup", defaultValue = "10", description = "Seconds before (default: ${DEFAULT-VALUE}).")
    private int warmup;

    @Option(names = "--life-ms", defaultValue = "500", description = "Of a booking (default: ${DEFAULT-VALUE}).")
    private int lifeMs;

    @Override
    public Integer call() throws IOException {
        var shape = new LoadShape(
                nodes,
                workers,
                rate,
                Duration.ofSeconds(warmup),
                Duration.ofSeconds(seconds),
                Duration.ofMillis(lifeMs));
        LoadReport report = LoadBench.run(shape);
        print(report);
        return report.visible().late() == 0
                        && report.visible().equal()
                        && report.visible().share() == 1
                ? 0
                : 1;
    }

    private void print(LoadReport report) {
        PrintWriter out = spec.commandLine().getOut();
        var lag = report.lag();
        var cost = report.cost();
        var visible = report.visible();
        out.printf("%d nodes, %d workers, %d bookings/s, %d s%n", nodes, workers, rate, seconds);
        out.printf(
                "lag p50 %.0f ms, p99 %.0f ms, longest %.0f ms, of %d measured%n",
                lag.quantileMs(MEDIAN), lag.quantileMs(NEARLY_ALL), lag.mostMs(), lag.count());
        out.printf(
                "a node: %.0f %% of a core, %.0f KB/s sent, %.0f updates/s%n",
                100 * cost.cpu(), cost.bytesPerSecond() / 1_000, cost.updatesPerSecond());
        out.printf(
                "visible/made %.4f of %d bookings, older than 1 s and not visible: %d looks, updates skipped: %d%n",
                visible.share(), visible.made(), visible.late(), cost.skipped());
        out.printf(
                "views equal to what the nodes book: %s, and zero in the end%n", visible.equal() ? "all" : "NOT ALL");
        out.flush();
    }
}
