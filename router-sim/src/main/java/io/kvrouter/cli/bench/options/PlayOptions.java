package io.kvrouter.cli.bench.options;

import io.kvrouter.bench.fleet.load.LanesShape;
import io.kvrouter.bench.workload.EqualPrompts;
import io.kvrouter.bench.workload.RecordedSessions;
import io.kvrouter.bench.workload.SessionSource;
import io.kvrouter.bench.workload.SyntheticSessions;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is played on a fleet, and how. */
public final class PlayOptions {
    @Option(names = "--lanes", defaultValue = "160", description = "Sessions at a time (default: ${DEFAULT-VALUE}).")
    private int lanes;

    @Option(
            names = "--concurrency",
            defaultValue = "250",
            description = "Most turns in flight at a node (default: ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(
            names = "--trace",
            description = "Recorded sessions of this file, JSON lines, as they are or .xz (default: synthetic ones).")
    private @Nullable Path trace;

    @Option(
            names = "--sub-agents",
            defaultValue = "0",
            description = "Share of synthetic turns before which 2 to 8 sub-agents run (default: ${DEFAULT-VALUE}).")
    private double agentShare;

    @Option(
            names = "--system-prompts",
            defaultValue = "0",
            description = "Synthetic sessions begin with one of so many, by Zipf's law; 0 = they share nothing"
                    + " (default: ${DEFAULT-VALUE}).")
    private int systemPrompts;

    @Option(
            names = "--equal-prompts",
            description = "No sessions: single prompts of so many session tokens with nothing in common, no ids.")
    private @Nullable Integer equalPrompts;

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

    @Option(names = "--seed", defaultValue = "1", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** How it is played. */
    public LanesShape shape() {
        boolean named = !unnamed && equalPrompts == null;
        return new LanesShape(lanes, concurrency, tokenScale, speedUp, thinkCap, named, seed);
    }

    /**
     * What is played.
     *
     * @throws IllegalArgumentException if options do not go together, or one has a wrong value
     */
    public SessionSource source() throws IOException {
        int kinds = (trace == null ? 0 : 1)
                + (equalPrompts == null ? 0 : 1)
                + (agentShare == 0 && systemPrompts == 0 ? 0 : 1);
        if (kinds > 1) {
            throw new IllegalArgumentException("expected: one of --trace, --equal-prompts, and options of synthetic"
                    + " sessions (--sub-agents, --system-prompts)");
        }
        if (equalPrompts != null) {
            return new EqualPrompts(equalPrompts);
        }
        return trace != null ? RecordedSessions.read(trace) : new SyntheticSessions(agentShare, systemPrompts);
    }
}
