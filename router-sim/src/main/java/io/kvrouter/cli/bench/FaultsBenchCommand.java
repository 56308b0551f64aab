package io.kvrouter.cli.bench;

import io.kvrouter.bench.faults.FaultPlan;
import io.kvrouter.bench.faults.FaultsBench;
import io.kvrouter.bench.faults.FaultsReport;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** One node whose workers, network and clients fail. */
@Command(
        name = "faults",
        mixinStandardHelpOptions = true,
        description = "Runs one node between clients that leave and a network that cuts, resets, stalls and garbles.",
        footer = {
            "",
            "A failure is explained if a fault met its request on the way to a worker; requests that their client left",
            "are not looked at. In the end nothing may be left: calls, load, sessions, connections, files, actors.",
            "Exit codes: 0 all explained and nothing left; 1 not."
        })
final class FaultsBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--rate", defaultValue = "500", description = "Requests a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seconds", defaultValue = "600", description = "With faults (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--workers", defaultValue = "6", description = "Simulated workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(names = "--seed", defaultValue = "1", description = "Of faults and clients (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public Integer call() throws InterruptedException {
        FaultsReport report = FaultsBench.run(plan());
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        return report.sound() ? 0 : 1;
    }

    private FaultPlan plan() {
        try {
            return new FaultPlan(rate, seconds, workers, seed);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
