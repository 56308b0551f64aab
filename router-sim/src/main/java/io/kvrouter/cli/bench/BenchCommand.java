package io.kvrouter.cli.bench;

import io.kvrouter.cli.bench.part.LoadBenchNodeCommand;
import io.kvrouter.cli.bench.part.ProxyPartCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the router on this machine. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures the router on this machine.",
        subcommands = {
            CallersBenchCommand.class,
            FaultsBenchCommand.class,
            FleetBenchCommand.class,
            FuzzBenchCommand.class,
            LoadBenchCommand.class,
            LoadBenchNodeCommand.class,
            OverlapBenchCommand.class,
            OverloadBenchCommand.class,
            PromptBenchCommand.class,
            ProxyBenchCommand.class,
            ProxyPartCommand.class,
            SessionsBenchCommand.class,
            SoakCommand.class,
            StreamsBenchCommand.class
        })
public final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "bench: which one? (expected: callers, faults, fleet, fuzz, load, overlap, overload, prompt, proxy,"
                        + " sessions, soak, streams)");
    }
}
