package io.kvrouter.cli.bench;

import io.kvrouter.bench.fleet.Figure;
import io.kvrouter.bench.fleet.FleetBench;
import io.kvrouter.bench.fleet.FleetPlan;
import io.kvrouter.bench.fleet.FleetPlan.Nodes;
import io.kvrouter.bench.fleet.FleetPlan.Times;
import io.kvrouter.bench.fleet.FleetPlan.Workers;
import io.kvrouter.bench.fleet.FleetReport;
import io.kvrouter.bench.fleet.load.LanesShape;
import io.kvrouter.bench.workload.RecordedSessions;
import io.kvrouter.bench.workload.SessionSource;
import io.kvrouter.bench.workload.SyntheticSessions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
                    + " and unlike all others; a turn goes to a random node, after its session's pause; the ideal counts"
                    + " what a lane itself has sent. Of recorded sessions, lengths and block ids are used; sub-agents are"
                    + " left out. One node alone has the concurrency of all.",
            "",
            "Exit codes: 0 measured, 1 turns failed or load was left over.",
            "",
            "What is reported:"
        })
final class FleetBenchCommand implements Callable<Integer> {
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", defaultValue = "4", description = "Nodes, each a JVM (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--heap", defaultValue = "512m", description = "-Xmx of each node (default: ${DEFAULT-VALUE}).")
    private String heap = "";

    @Option(names = "--set", description = "KEY=VALUE: any setting of the nodes by its full key; may be repeated.")
    private Map<String, String> settings = Map.of();

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

    @Option(names = "--lanes", defaultValue = "160", description = "Sessions at a time (default: ${DEFAULT-VALUE}).")
    private int lanes;

    @Option(
            names = "--trace",
            description = "Recorded sessions of this file, JSON lines, as they are or .xz (default: synthetic ones).")
    private @Nullable Path trace;

    @Option(
            names = "--concurrency",
            defaultValue = "250",
            description = "Most turns in flight at a node (default: ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(names = "--no-session-ids", description = "Turns do not name their session.")
    private boolean unnamed;

    @Option(
            names = "--think-cap",
            defaultValue = "10",
            description = "Longest pause between turns in s, before it is shortened (default: ${DEFAULT-VALUE}).")
    private double thinkCap;

    @Option(
            names = "--speed-up",
            defaultValue = "10",
            description = "Divides engine times and pauses (default: ${DEFAULT-VALUE}).")
    private double speedUp;

    @Option(
            names = "--token-scale",
            defaultValue = "16",
            description = "Session tokens for which one that is sent stands (default: ${DEFAULT-VALUE}).")
    private int tokenScale;

    @Option(
            names = "--compare-single",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Each run also with one node (default: ${DEFAULT-VALUE}).")
    private boolean compareSingle;

    @Option(names = "--seeds", defaultValue = "3", description = "Runs of each kind (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--seed", defaultValue = "1", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--seconds", defaultValue = "30", description = "Measured of each run (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--warm-up",
            defaultValue = "30",
            description =
                    "Seconds before that are not measured: caches fill, and JVMs compile (default: ${DEFAULT-VALUE}).")
    private double warmUp;

    @Option(names = "--json", description = "Writes all figures to this file.")
    private @Nullable Path json;

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
        FleetPlan plan = plan();
        PrintWriter err = spec.commandLine().getErr();
        FleetReport report = FleetBench.run(plan, source(), line -> {
            err.println(line);
            err.flush();
        });
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        if (json != null) {
            report.writeJson(json);
        }
        if (!report.sound()) {
            err.println("turns failed, or load was left over");
        }
        return report.sound() ? 0 : 1;
    }

    private SessionSource source() throws IOException {
        return trace == null ? new SyntheticSessions() : RecordedSessions.read(trace);
    }

    private FleetPlan plan() {
        try {
            return new FleetPlan(
                    new Nodes(nodes, heap, settings),
                    compareSingle,
                    new Workers(workers, kvBlocks, slow, kvEvents),
                    new LanesShape(lanes, concurrency, tokenScale, speedUp, thinkCap, !unnamed, seed),
                    seeds,
                    new Times(time("warm-up", warmUp), time("seconds", seconds)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static Duration time(String name, double seconds) {
        if (!(seconds > 0)) {
            throw new IllegalArgumentException(name + ": " + seconds + " (expected: > 0)");
        }
        return Duration.ofMillis((long) (seconds * 1e3));
    }
}
