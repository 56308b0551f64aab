package io.kvrouter.bench.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.bench.Report;
import io.kvrouter.bench.workload.SessionTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The result of a {@link FleetBench} as a table for people, and as JSON. */
public final class FleetReport implements Report {
    private static final int TITLE_WIDTH = 20;
    private static final int VALUE_WIDTH = 34;

    private final FleetPlan plan;
    private final String source;
    private final List<RunFigures> runs;
    private final ObjectMapper json = new ObjectMapper();

    FleetReport(FleetPlan plan, String source, List<RunFigures> runs) {
        this.plan = plan;
        this.source = source;
        this.runs = List.copyOf(runs);
    }

    /** All runs were made, turns were answered, none failed, and no load was left over. */
    @Override
    public boolean sound() {
        return runs.size() == plan.runs()
                && runs.stream()
                        .allMatch(run -> run.values().getOrDefault(Figure.TURNS, 0.0) > 0
                                && run.failures().isEmpty()
                                && run.values().getOrDefault(Figure.LEFT_OVER, 0.0) == 0);
    }

    /** What was scaled, and all figures. */
    @Override
    public String text() {
        var text = new StringBuilder(settings()).append('\n');
        text.append(String.format("%-" + TITLE_WIDTH + "s", ""));
        plan.setups().forEach(setup -> cell(text, title(setup)));
        text.append('\n');
        for (Figure figure : Figure.values()) {
            text.append(String.format("%-" + TITLE_WIDTH + "s", figure.title()));
            plan.setups().forEach(setup -> cell(text, written(figure, spread(figure, setup))));
            text.append('\n');
        }
        if (runs.size() < plan.runs()) {
            text.append(String.format("runs without figures: %d of %d%n", plan.runs() - runs.size(), plan.runs()));
        }
        runs.stream()
                .filter(run -> !run.failures().isEmpty())
                .forEach(run -> text.append(String.format(
                        "failed, seed %d, %s: %s%n", run.seed(), title(run.setup()), new TreeMap<>(run.failures()))));
        return text.toString();
    }

    private String title(Setup setup) {
        return setup.title(plan.nodes().count());
    }

    private static void cell(StringBuilder text, String value) {
        text.append(String.format("%" + VALUE_WIDTH + "s", value));
    }

    private static String written(Figure figure, Optional<Spread> spread) {
        return spread.map(s -> s.least() == s.most()
                        ? figure.written(s.mean())
                        : figure.written(s.mean()) + " (" + figure.written(s.least()) + " to "
                                + figure.written(s.most()) + ")")
                .orElse("-");
    }

    private Optional<Spread> spread(Figure figure, Setup setup) {
        return Spread.of(runs.stream()
                .filter(run -> run.setup() == setup)
                .map(run -> run.values().get(figure))
                .filter(Objects::nonNull)
                .toList());
    }

    private String settings() {
        var lanes = plan.lanes();
        var engine = plan.engine();
        return String.format(
                Locale.ROOT,
                "%d workers of %d KV blocks, %d lanes %s session ids, at most %d turns in flight in all, %d seeds, %d s"
                        + " warm-up and %d s measured each, %d cores%n"
                        + "played: %s%n"
                        + "scaled: engine and think times divided by %s (pauses capped at %s s before); one token sent"
                        + " stands for %d of a session, so blocks are %d tokens for %d, steps %d for %d%n"
                        + "mean over the seeds (least to most); a difference below 0.02 in hit ratio is noise%n",
                plan.workers().count(),
                engine.kvBlocks(),
                lanes.lanes(),
                lanes.named() ? "with" : "without",
                lanes.concurrency() * plan.nodes().count(),
                plan.seeds(),
                plan.times().warmUp().toSeconds(),
                plan.times().measured().toSeconds(),
                Runtime.getRuntime().availableProcessors(),
                source,
                lanes.speedUp(),
                lanes.thinkCap(),
                lanes.tokenScale(),
                engine.blockSize(),
                SessionTurn.BLOCK_TOKENS,
                engine.maxStepTokens(),
                engine.maxStepTokens() * lanes.tokenScale());
    }

    /** Writes everything that was measured, of each run and over them. */
    @Override
    public void writeJson(Path file) throws IOException {
        var root = json.createObjectNode();
        root.put("cores", Runtime.getRuntime().availableProcessors());
        root.set("plan", plan());
        var all = root.putArray("runs");
        runs.forEach(run -> all.add(run(run)));
        var means = root.putArray("summary");
        for (Setup setup : plan.setups()) {
            var summary = named(setup, means.addObject());
            for (Figure figure : Figure.values()) {
                spread(figure, setup)
                        .ifPresent(spread -> summary.putObject(figure.key())
                                .put("mean", spread.mean())
                                .put("least", spread.least())
                                .put("most", spread.most()));
            }
        }
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    }

    private ObjectNode plan() {
        var lanes = plan.lanes();
        return json.createObjectNode()
                .put("nodes", plan.nodes().count())
                .put("workers", plan.workers().count())
                .put("kv_blocks", plan.workers().kvBlocks())
                .put("slow", plan.workers().slow())
                .put("kv_events", plan.workers().kvEvents())
                .put("played", source)
                .put("lanes", lanes.lanes())
                .put("in_flight_at_most", lanes.concurrency() * plan.nodes().count())
                .put("token_scale", lanes.tokenScale())
                .put("speed_up", lanes.speedUp())
                .put("think_cap_s", lanes.thinkCap())
                .put("session_ids", lanes.named())
                .put("warm_up_s", plan.times().warmUp().toSeconds())
                .put("measured_s", plan.times().measured().toSeconds())
                .set("settings", json.valueToTree(plan.nodes().settings()));
    }

    private ObjectNode named(Setup setup, ObjectNode node) {
        return node.put("setup", setup.key())
                .put("nodes", setup.nodes(plan.nodes().count()));
    }

    private ObjectNode run(RunFigures run) {
        var node = named(run.setup(), json.createObjectNode()).put("seed", run.seed());
        for (Map.Entry<Figure, Double> value : new TreeMap<>(run.values()).entrySet()) {
            node.put(value.getKey().key(), value.getValue());
        }
        node.set("failures", json.valueToTree(run.failures()));
        node.set("cpu_s", json.valueToTree(run.cpuSeconds()));
        return node;
    }
}
