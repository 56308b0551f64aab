package io.kvrouter.cli.bench;

import io.kvrouter.bench.fuzz.FuzzBench;
import io.kvrouter.bench.fuzz.FuzzReport;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One node that gets, from both sides, what is not quite HTTP. */
@Command(
        name = "fuzz",
        mixinStandardHelpOptions = true,
        description =
                "Sends mutated requests, one in four by HTTP/2, to one node whose engines answer mutated answers and event "
                        + "streams.",
        footer = {"", "Exit codes: 0 no 500 of the router, nothing stuck, no error in the log, nothing left; 1 not."})
final class FuzzBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--count", defaultValue = "1000000", description = "Requests (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(names = "--seed", defaultValue = "1", description = "Of all mutations (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public Integer call() throws InterruptedException {
        FuzzReport report = FuzzBench.run(count, seed);
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        return report.sound() ? 0 : 1;
    }
}
