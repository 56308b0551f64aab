package io.kvrouter.cli.bench;

import io.kvrouter.bench.fleet.Figure;
import io.kvrouter.bench.fleet.FleetBench;
import io.kvrouter.bench.fleet.FleetPlan;
import io.kvrouter.bench.fleet.FleetPlan.Nodes;
import io.kvrouter.bench.fleet.FleetPlan.Times;
import io.kvrouter.bench.fleet.FleetPlan.Workers;
import io.kvrouter.bench.fleet.Setup;
import io.kvrouter.bench.workload.SessionSource;
import io.kvrouter.cli.bench.options.NodesOptions;
import io.kvrouter.cli.bench.options.PlayOptions;
import io.kvrouter.cli.bench.options.ReportOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What several ingress nodes cost in hits, balance and time against one. Starts everything itself, on free ports. */
@Command(
        name = "fleet",
        mixinStandardHelpOptions = true,
        description =
                "Plays agents' sessions through several ingress nodes on a fleet of simulated engines, and the same"
                        + " through one node: hit ratio, balance, latencies, moves, replication of the load, CPU.",
        footerHeading = "%nWhat is scaled:%n",
        footer = {
            "--speed-up divides the engines' step times and the pauses between turns. The router's own times, its part of"
                    + " a turn and the lag of its replication, are not divided: against the engines it is slower than it"
                    + " would be.",
            "--token-scale divides prompts and answers, and the engines' blocks and steps: a prompt has as many blocks as"
                    + " it would; hits, evictions and the engine time of a prompt are what they would be. Figures are in"
                    + " tokens of the sessions. An engine makes one token where it would make so many, in as much time,"
                    + " so a prompt may wait for up to that many decode steps.",
            "Nodes check each worker every 10 s instead of 2 s. Text is sent, of which four bytes are a token.",
            "",
            "How sessions are played: a lane's first from a random turn on, the others from their beginning, each once"
                    + " and unlike all others; a turn goes to a random node, after its session's pause. Sub-agents have"
                    + " ids of their own, run side by side, and their session's next turn waits for them. The ideal counts"
                    + " what a session and its sub-agents have sent, and system prompts that any session has. Of recorded"
                    + " sessions, lengths and block ids are used. One node alone has the concurrency of all.",
            "",
            "Controls: SEPARATE, as many nodes that are no cluster, so that each sees only the load that it booked and the"
                    + " sessions that it bound; ROUND_ROBIN, the cluster with --policy round-robin.",
            "",
            "Exit codes: 0 measured, 1 runs or turns failed, or load was left over.",
            "",
            "What is reported:"
        })
final class FleetBenchCommand implements Callable<Integer> {
    private static final String HEAP = "512m";

    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final NodesOptions nodes = new NodesOptions();

    @Mixin
    private final PlayOptions play = new PlayOptions();

    @Mixin
    private final ReportOptions report = new ReportOptions();

    @Option(names = "--workers", defaultValue = "64", description = "Simulated workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--kv-blocks",
            defaultValue = "16384",
            description = "KV blocks of each, of 64 session tokens (default: ${DEFAULT-VALUE}).")
    private int kvBlocks;

    @Option(
            names = "--slow",
            defaultValue = "1",
            description = "Divides their prefill speed of about 48,000 tokens/s (default: ${DEFAULT-VALUE}).")
    private double slow;

    @Option(
            names = "--kv-events",
            description = "Workers publish KV events, and the nodes ask them for each prompt's tokens (default: no).")
    private boolean kvEvents;

    @Option(
            names = "--compare-single",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Each run also with one node (default: ${DEFAULT-VALUE}).")
    private boolean compareSingle;

    @Option(
            names = "--control",
            split = ",",
            description = "Each run also on these: SEPARATE, ROUND_ROBIN (default: none).")
    private List<Setup> controls = List.of();

    @Option(names = "--seeds", defaultValue = "3", description = "Runs of each kind (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--seconds", defaultValue = "30", description = "Measured of each run (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--warm-up",
            defaultValue = "30",
            description =
                    "Seconds before that are not measured: caches fill, and JVMs compile (default: ${DEFAULT-VALUE}).")
    private double warmUp;

    /** The help ends with what each figure is. */
    @Spec
    void spec(CommandSpec own) {
        spec = own;
        var usage = own.usageMessage();
        var footer = new ArrayList<>(List.of(usage.footer()));
        footer.addAll(Figure.legend());
        usage.footer(footer.toArray(String[]::new));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        FleetPlan plan;
        SessionSource source;
        try {
            plan = plan();
            source = play.source();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return report.tell(
                FleetBench.run(plan, source, report.progress()), "runs or turns failed, or load was left over");
    }

    private FleetPlan plan() {
        String heap = nodes.heap().isEmpty() ? HEAP : nodes.heap();
        return new FleetPlan(
                new Nodes(nodes.count(), heap, nodes.settings()),
                List.copyOf(setups()),
                new Workers(workers, kvBlocks, slow, kvEvents),
                play.shape(),
                seeds,
                new Times(time("warm-up", warmUp), time("seconds", seconds)));
    }

    /** A single node is a setup of its own only where there are several. */
    private Set<Setup> setups() {
        Set<Setup> setups = EnumSet.of(Setup.CLUSTER);
        if (compareSingle && nodes.count() > 1) {
            setups.add(Setup.ONE);
        }
        setups.addAll(controls);
        return setups;
    }

    private static Duration time(String name, double seconds) {
        if (!(seconds > 0)) {
            throw new IllegalArgumentException(name + ": " + seconds + " (expected: > 0)");
        }
        return Duration.ofMillis((long) (seconds * 1e3));
    }
}
