package io.kvrouter.bench.prompt;

import io.kvrouter.bench.prompt.EndToEnd.Sent;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What requests with long prompts cost a node that makes their tokens itself: first turns of fresh text, and later turns
 * that add a little. First every step on its own in this process, then whole requests through a node, one at a time.
 */
public final class PromptBench implements AutoCloseable {
    private final PromptPlan plan;
    private final Stages stages;
    private final int characters;
    private final int laterCharacters;
    private final Medians<Stage> first = new Medians<>(Stage.class);
    private final Medians<Stage> later = new Medians<>(Stage.class);
    private final Medians<Length> lengths = new Medians<>(Length.class);
    private final Medians<Turns> requests = new Medians<>(Turns.class);
    private long seed;

    /** What is measured whole: a router, and the CPU time that its process has used. */
    public record Subject(URI router, LongSupplier cpuNanos) {}

    /** Lengths of bodies and prompts. */
    enum Length {
        FIRST_BYTES,
        FIRST_TOKENS,
        LATER_BYTES,
        LATER_TOKENS,
        LATER_OVERLAP
    }

    private PromptBench(PromptPlan plan, Stages stages) {
        this.plan = plan;
        this.stages = stages;
        this.characters = stages.characters(plan.tokens());
        this.laterCharacters = stages.characters(plan.newTokens());
    }

    /**
     * Reads the model.
     *
     * @param directory of a model with tokenizer and chat template
     * @throws IOException naming what is missing or broken there
     */
    public static PromptBench load(PromptPlan plan, Path directory) throws IOException {
        return new PromptBench(plan, Stages.load(directory));
    }

    private LongChat chat() {
        return new LongChat(seed++, characters, laterCharacters);
    }

    /** Measures the steps. */
    public void measureStages() throws IOException {
        for (int i = 0; i < plan.warmUp() * plan.conversations(); i++) {
            stages(new Medians<>(Stage.class), new Medians<>(Stage.class), new Medians<>(Length.class));
        }
        for (int i = 0; i < plan.rounds() * plan.conversations(); i++) {
            stages(first, later, lengths);
        }
    }

    private void stages(Medians<Stage> ofFirst, Medians<Stage> ofLater, Medians<Length> length) throws IOException {
        LongChat chat = chat();
        byte[] body = chat.turn();
        length.add(Length.FIRST_BYTES, body.length);
        length.add(Length.FIRST_TOKENS, stages.measure(body, ofFirst));
        for (int turn = 0; turn < plan.laterTurns(); turn++) {
            body = chat.next();
            length.add(Length.LATER_BYTES, body.length);
            length.add(Length.LATER_TOKENS, stages.measure(body, ofLater));
        }
    }

    /** Measures whole requests. */
    public void measureRequests(Subject subject) throws IOException, InterruptedException {
        try (var node = new EndToEnd(subject.router(), subject.cpuNanos())) {
            node.awaitWorker(new LongChat(seed++, 1, 1).turn());
            for (int round = 0; round < plan.warmUp() + plan.rounds(); round++) {
                boolean measured = round >= plan.warmUp();
                round(node, Turns.FIRST, Turns.LATER, measured);
                round(node, Turns.FIRST_OF_SESSION, Turns.PINNED, measured);
            }
        }
    }

    private void round(EndToEnd node, Turns ofFirst, Turns ofLater, boolean measured)
            throws IOException, InterruptedException {
        List<Sent> firsts = new ArrayList<>();
        List<Sent> laters = new ArrayList<>();
        for (int i = 0; i < plan.conversations(); i++) {
            Optional<String> session = ofFirst == Turns.FIRST ? Optional.empty() : Optional.of("bench-" + seed);
            LongChat chat = chat();
            firsts.add(new Sent(chat.turn(), session));
            for (int turn = 0; turn < plan.laterTurns(); turn++) {
                laters.add(new Sent(chat.next(), session));
            }
        }
        EndToEnd.Outcome first = node.run(firsts);
        EndToEnd.Outcome later = node.run(laters);
        if (measured) {
            requests.add(ofFirst, first.nanosPerRequest());
            requests.add(ofLater, later.nanosPerRequest());
            if (ofLater == Turns.LATER) {
                lengths.add(Length.LATER_OVERLAP, later.overlap() / laters.size());
            }
        }
    }

    /** What came of it. */
    public PromptReport report() {
        return new PromptReport(plan, new PromptReport.Steps(first, later), lengths, requests);
    }

    @Override
    public void close() {
        stages.close();
    }
}
