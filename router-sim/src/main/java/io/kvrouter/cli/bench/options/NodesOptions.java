package io.kvrouter.cli.bench.options;

import java.util.Map;
import picocli.CommandLine.Option;

/** Options of benchmarks that start a cluster of nodes. */
public final class NodesOptions {
    @Option(names = "--nodes", defaultValue = "4", description = "Nodes, each a JVM (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--heap",
            defaultValue = "",
            description = "-Xmx of each node, as 600m (default: by what is measured).")
    private String heap = "";

    @Option(names = "--set", description = "KEY=VALUE: any setting of the nodes by its full key; may be repeated.")
    private Map<String, String> settings = Map.of();

    public int count() {
        return count;
    }

    /** Empty if it was not asked for. */
    public String heap() {
        return heap;
    }

    public Map<String, String> settings() {
        return settings;
    }
}
