package io.kvrouter.cli.bench;

import io.kvrouter.bench.soak.SoakBench;
import io.kvrouter.bench.soak.SoakPlan;
import io.kvrouter.bench.soak.SoakReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is left in a cluster after everything went wrong with it. Starts a cluster of processes, on free ports. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description = "Wears a cluster out with clients that leave, workers that flap and nodes that die, and looks for"
                + " load, connections, actors and metrics that leaked.",
        footerHeading = "%nWhat is done and looked for:%n",
        footer = {SoakReport.LEGEND, "Exit codes: 0 nothing leaked, 1 something did."})
final class SoakCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", defaultValue = "4", description = "Nodes, each a JVM (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--workers", defaultValue = "6", description = "Simulated workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(names = "--clients", defaultValue = "24", description = "Clients at once (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds of traffic (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "600",
            description = "Of traffic, in all rounds together (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--fault-every",
            defaultValue = "8",
            description = "S between faults of nodes, on average (default: ${DEFAULT-VALUE}).")
    private double between;

    @Option(
            names = "--patience",
            defaultValue = "45",
            description = "S until nothing of a round may be left (default: ${DEFAULT-VALUE}).")
    private double patience;

    @Option(names = "--seed", defaultValue = "1", description = "Of all that is drawn (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--json", description = "Writes all figures to this file.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        SoakReport report = SoakBench.run(plan(), time(patience), line -> {
            err.println(line);
            err.flush();
        });
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        if (json != null) {
            report.writeJson(json);
        }
        return report.sound() ? 0 : 1;
    }

    private SoakPlan plan() {
        try {
            return new SoakPlan(nodes, workers, clients, rounds, time(seconds), time(between), seed);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static Duration time(double seconds) {
        return Duration.ofMillis((long) (seconds * 1e3));
    }
}
