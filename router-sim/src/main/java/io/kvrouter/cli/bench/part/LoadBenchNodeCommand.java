package io.kvrouter.cli.bench.part;

import io.kvrouter.bench.load.LoadBenchNode;
import io.kvrouter.bench.load.LoadShape;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** One node of {@code bench load}, which starts it and talks to it over its standard streams. */
@Command(name = "load-node", hidden = true, description = "One node of bench load.")
public final class LoadBenchNodeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "6",
            description = "Nodes, workers, bookings a second; warm-up, measured time, life of a booking in ms.")
    private List<Integer> numbers = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        var shape = new LoadShape(
                numbers.get(0),
                numbers.get(1),
                numbers.get(2),
                Duration.ofMillis(numbers.get(3)),
                Duration.ofMillis(numbers.get(4)),
                Duration.ofMillis(numbers.get(5)));
        LoadBenchNode.run(shape, spec.commandLine().getOut());
        return 0;
    }
}
