package io.kvrouter.cli.bench;

import io.kvrouter.bench.sessions.Fault;
import io.kvrouter.bench.sessions.SessionsBench;
import io.kvrouter.bench.sessions.SessionsPlan;
import io.kvrouter.bench.sessions.SessionsPlan.Cluster;
import io.kvrouter.bench.sessions.SessionsPlan.Load;
import io.kvrouter.bench.sessions.SessionsPlan.Times;
import io.kvrouter.bench.sessions.SessionsReport;
import io.kvrouter.cli.bench.options.NodesOptions;
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

/** What faults do to many sessions. Starts a cluster of processes, on free ports. */
@Command(
        name = "sessions",
        mixinStandardHelpOptions = true,
        description = "Measures a cluster with many sessions while its nodes die, leave, pause and join: sessions that"
                + " lose their worker, failed turns, latencies, memory and CPU.",
        footerHeading = "%nWhat is reported:%n",
        footer = {
            SessionsReport.LEGEND,
            "Exit codes: 0 measured and kept, 1 a turn failed through a living node or more than 0.01 %% of the"
                    + " sessions lost their worker."
        })
final class SessionsBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final NodesOptions nodes = new NodesOptions();

    @Mixin
    private final ReportOptions report = new ReportOptions();

    @Option(names = "--workers", defaultValue = "4", description = "Simulated workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(names = "--sessions", defaultValue = "100000", description = "Live sessions (default: ${DEFAULT-VALUE}).")
    private int sessions;

    @Option(names = "--rate", defaultValue = "1000", description = "Turns a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--new",
            defaultValue = "0.02",
            description = "Share of turns that begin another session (default: ${DEFAULT-VALUE}).")
    private double newShare;

    @Option(
            names = "--concurrency",
            defaultValue = "64",
            description = "Turns at once while sessions are made and checked (default: ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(
            names = "--check",
            defaultValue = "200000",
            description =
                    "Sessions asked for after a fault, of those without a turn since (default: ${DEFAULT-VALUE}).")
    private int check;

    @Option(
            names = "--fault",
            defaultValue = "KILL",
            description = "${COMPLETION-CANDIDATES}: repeatable, one after the other (default: ${DEFAULT-VALUE}).")
    private List<Fault> faults = List.of();

    @Option(names = "--before", defaultValue = "20", description = "Quiet s before each (default: ${DEFAULT-VALUE}).")
    private double before;

    @Option(names = "--after", defaultValue = "20", description = "Quiet s after each (default: ${DEFAULT-VALUE}).")
    private double after;

    @Option(names = "--pause", defaultValue = "4", description = "S of a pause (default: ${DEFAULT-VALUE}).")
    private double pause;

    @Option(
            names = "--patience",
            defaultValue = "120",
            description = "S until the cluster must be whole again (default: ${DEFAULT-VALUE}).")
    private double patience;

    @Override
    public Integer call() throws IOException, InterruptedException {
        SessionsReport found = SessionsBench.run(plan(), faults, report.progress());
        return report.tell(found, "turns failed, or sessions lost their worker");
    }

    private SessionsPlan plan() {
        try {
            return new SessionsPlan(
                    new Cluster(nodes.count(), workers, nodes.heap(), nodes.settings()),
                    new Load(sessions, rate, newShare, concurrency, check),
                    new Times(time(before), time(after), time(pause), time(patience)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static Duration time(double seconds) {
        if (!(seconds >= 0)) {
            throw new IllegalArgumentException("seconds: " + seconds + " (expected: >= 0)");
        }
        return Duration.ofMillis((long) (seconds * 1e3));
    }
}
