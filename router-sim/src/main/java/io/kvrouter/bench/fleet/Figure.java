package io.kvrouter.bench.fleet;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is reported of a run. */
public enum Figure {
    IDEAL_HIT(
            "ideal hit ratio",
            4,
            "prompt tokens that a cache without bounds would have, of turns answered in the window"),
    HIT("hit ratio", 4, "prompt tokens that the workers had, of the same turns, as each answer's usage tells"),
    COUNTED_HIT("hit ratio, engines", 4, "the same by the engines' counters, of prompts looked up in the window"),
    HIT_OF_IDEAL("hit ratio / ideal", 4, "how much of what is possible"),
    MISJUDGED(
            "overlap misjudged",
            4,
            "by how much the overlap that nodes told before was wrong, of the prompt tokens of turns that have one"),
    EVICTED("evicted tokens/s", 0, "KV blocks thrown out of full caches, in session tokens a wall-clock second"),
    IMBALANCE("busy max/mean", 3, "the busiest worker's time in steps against the mean of all"),
    CROWD(
            "requests max/mean",
            3,
            "requests at the worker that has the most against the mean, averaged over looks every 50 ms or more"),
    BUSY("workers busy", 3, "mean share of the window that a worker spent in steps"),
    TTFT_MEAN("TTFT mean ms", 1, "from when a turn was due, its wait for a place included, to its first token"),
    TTFT_P50("TTFT p50 ms", 1, "the same, raw samples; the engine's part is shortened by the speed-up"),
    TTFT_P99("TTFT p99 ms", 1, "the same"),
    TURNS("turns/s", 1, "answered with success, wall clock"),
    PROMPT_TOKENS("prompt tokens/s", 0, "of turns answered, in session tokens, cached ones included"),
    IN_FLIGHT("turns in flight", 1, "mean, those that wait for their place at an ingress included"),
    FAILED("failed turns", 0, "without status 200 or cut off; by what they got under the table"),
    MOVES("moves", 0, "turns that another worker answered than the turn before of their session"),
    MOVED_SESSIONS("sessions moved", 0, "those to which it happened"),
    BOOKINGS("bookings made", 0, "reservations of all nodes since their start"),
    VISIBLE("visible/made", 4, "of these, seen by the peers a second after the last turn was sent, mean over peers"),
    MADE("updates sent", 0, "load updates made by all nodes in the window, each for all peers"),
    RECEIVED("updates received", 0, "by all nodes in the window"),
    APPLIED("updates applied", 0, "of those, with something new"),
    SKIPPED("updates skipped", 0, "with nothing new (repetitions that heal), or of a removed node"),
    TIMEOUTS("write time-outs", 0, "whole slices that some node did not acknowledge in time"),
    LAG_P50("lag p50 ms", 1, "from a change at a node until a peer's selection had it and its answer was back"),
    LAG_P99("lag p99 ms", 1, "the same, within histogram buckets"),
    LAG_MAX("lag max ms", 1, "upper bound of the last bucket with any"),
    NODE_CPU("CPU s a node", 2, "in the window, mean over the nodes; each node's is in the JSON"),
    TURN_CPU("node CPU us/turn", 0, "of all nodes together, per answered turn"),
    BENCH_CPU("bench CPU s", 2, "of the process with the load generator and the workers, in the window"),
    MACHINE(
            "machine used",
            3,
            "CPU of all these processes, of what the cores have; near 1 the figures are the machine's"),
    LEFT_OVER("load left over", 0, "requests that the nodes still book when all turns are over; 0 is right");

    private static final int WIDTH = 18;

    private final String title;
    private final int decimals;
    private final String meaning;

    Figure(String title, int decimals, String meaning) {
        this.title = title;
        this.decimals = decimals;
        this.meaning = meaning;
    }

    /** What each one means, a line for each. */
    public static List<String> legend() {
        return Arrays.stream(values())
                .map(figure -> String.format("  %-" + WIDTH + "s %s", figure.title, figure.meaning))
                .toList();
    }

    String title() {
        return title;
    }

    /** As JSON has it. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    String written(double value) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
