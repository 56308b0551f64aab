package io.kvrouter.cli.bench;

import io.kvrouter.bench.proxy.Protocol;
import io.kvrouter.bench.proxy.ProxyBench;
import io.kvrouter.bench.proxy.ProxyPlan;
import io.kvrouter.bench.proxy.ProxyReport;
import io.kvrouter.bench.proxy.RouterPlan;
import io.kvrouter.bench.proxy.Workload;
import io.kvrouter.cli.bench.options.ReportOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the router costs as a proxy. Starts all that it compares as processes of their own, on free ports. */
@Command(
        name = "proxy",
        mixinStandardHelpOptions = true,
        description =
                "Measures what a node of the router costs as a proxy, against no proxy, a plain relay on Netty, and"
                        + " nginx if there is one on the PATH: latency, and CPU a request and a streamed event.",
        footerHeading = "%nWhat the figures are:%n",
        footer = {
            ProxyReport.LEGEND,
            "Exit codes: 0 measured, 1 a request failed or was not seen by the engine exactly once."
        })
final class ProxyBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--workloads", split = ",", description = "Only these: ${COMPLETION-CANDIDATES} (default: all).")
    private Set<Workload> workloads = EnumSet.allOf(Workload.class);

    @Option(
            names = "--requests",
            defaultValue = "3000",
            description = "Of a way in a round of small requests (default: ${DEFAULT-VALUE}).")
    private int requests;

    @Option(
            names = "--concurrency",
            defaultValue = "64",
            description = "Connections of the small requests in a closed loop (default: ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description = "Paced requests/s; 0 = half of what the router sustains (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "4",
            description = "Of a round of what goes at a pace (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds measured (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            defaultValue = "8",
            description = "S before each workload over each way that runs on a JVM (default: ${DEFAULT-VALUE}).")
    private double warmUp;

    @Option(names = "--nodes", defaultValue = "3", description = "Nodes of the router (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--protocols",
            split = ",",
            description =
                    "Spoken to the router beside HTTP/1.1, each a way of its own: ${COMPLETION-CANDIDATES} (default:"
                            + " none).")
    private Set<Protocol> protocols = Set.of();

    @Option(names = "--set", description = "KEY=VALUE: any setting of the nodes by its full key; may be repeated.")
    private Map<String, String> settings = Map.of();

    @Mixin
    private final ReportOptions report = new ReportOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.tell(
                ProxyBench.run(plan(), router(), report.progress()),
                "requests failed, or were not seen by the engine exactly once each");
    }

    private ProxyPlan plan() {
        return valid(() -> new ProxyPlan(workloads, requests, concurrency, rounds, time(warmUp), time(seconds), rate));
    }

    private RouterPlan router() {
        return valid(() -> new RouterPlan(nodes, settings, protocols));
    }

    private <T> T valid(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static Duration time(double seconds) {
        return Duration.ofMillis((long) (seconds * 1e3));
    }
}
