package io.kvrouter.bench.prompt;

import io.kvrouter.bench.prompt.PromptBench.Length;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** The results of a {@link PromptBench} as a table for people. */
public final class PromptReport {
    private static final double NANOS_PER_MS = 1e6;

    /** What a later turn adds and its last block are no overlap. Were the prompt taken as text, far less would be. */
    private static final double LEAST_OVERLAP = 0.97;

    private final PromptPlan plan;
    private final Steps steps;
    private final Medians<Length> lengths;
    private final Medians<Turns> requests;

    /** The steps of first turns and of later ones. */
    record Steps(Medians<Stage> first, Medians<Stage> later) {
        private long sum(Medians<Stage> of) {
            long sum = 0;
            for (Stage stage : Stage.values()) {
                sum += stage.ofEveryRequest() ? of.of(stage) : 0;
            }
            return sum;
        }
    }

    PromptReport(PromptPlan plan, Steps steps, Medians<Length> lengths, Medians<Turns> requests) {
        this.plan = plan;
        this.steps = steps;
        this.lengths = lengths;
        this.requests = requests;
    }

    /** Whether the node's tokens were those of the model: what it told of overlap can be so only then. */
    public boolean sound() {
        long overlap = lengths.of(Length.LATER_OVERLAP);
        long before = lengths.of(Length.LATER_TOKENS);
        return overlap <= before && overlap >= LEAST_OVERLAP * (before - plan.newTokens() * 2L);
    }

    /** The table, what it means, and the machine. */
    public String text() {
        var text =
                new StringBuilder("%n%-36s %10s %10s%n".formatted("ms of CPU a request", "first turn", "later turn"));
        for (Stage stage : Stage.values()) {
            String title = stage.ofEveryRequest() ? stage.title() : "(" + stage.title() + ")";
            text.append(line(title, steps.first().of(stage), steps.later().of(stage)));
        }
        long first = steps.sum(steps.first());
        long later = steps.sum(steps.later());
        text.append(line("sum, but for what is in brackets", first, later));
        text.append(line("forward, and all else", requests.of(Turns.FIRST) - first, requests.of(Turns.LATER) - later));
        text.append(line("whole request, no session", requests.of(Turns.FIRST), requests.of(Turns.LATER)));
        text.append(line("whole request of a session", requests.of(Turns.FIRST_OF_SESSION), requests.of(Turns.PINNED)));
        return text.append(explanation()).toString();
    }

    private String explanation() {
        return """

                first turn: %,d tokens, %,d bytes, nothing of it known; later turn: %,d tokens, %,d bytes, of which the
                node took %,d as cached at the worker. Steps: this process, one thread, its CPU time, median of %d.
                Whole requests: CPU time of the node's process, its collector and compiler too, a round of %d and of %d
                requests, one at a time; median of %d rounds after %d of warm-up. Later turns of a session go to their
                worker first and are tokenized beside that. Forward is the difference: receiving, sending, the rest.
                machine: %d cores, load %.1f, JDK %s, %s %s
                """.formatted(
                        lengths.of(Length.FIRST_TOKENS),
                        lengths.of(Length.FIRST_BYTES),
                        lengths.of(Length.LATER_TOKENS),
                        lengths.of(Length.LATER_BYTES),
                        lengths.of(Length.LATER_OVERLAP),
                        plan.rounds() * plan.conversations(),
                        plan.conversations(),
                        plan.conversations() * plan.laterTurns(),
                        plan.rounds(),
                        plan.warmUp(),
                        Runtime.getRuntime().availableProcessors(),
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                        System.getProperty("java.vm.version", "?"),
                        System.getProperty("os.name", "?"),
                        System.getProperty("os.arch", "?"));
    }

    private static String line(String title, long first, long later) {
        return String.format(Locale.ROOT, "%-36s %10.3f %10.3f%n", title, first / NANOS_PER_MS, later / NANOS_PER_MS);
    }
}
