package io.kvrouter.bench.overload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.bench.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What clients got under each load.
 *
 * @param capacity good answers a second with as many clients as the workers have places
 */
public record OverloadReport(OverloadPlan plan, double capacity, List<Row> rows) implements Report {
    /** What is measured, for people. */
    public static final String LEGEND = """
            Answers are up to a quarter shorter or longer than 32 tokens.
            The capacity is what as many clients get as the workers have places. Then requests
            come at a rate, whatever becomes of those before; a client gives up after its
            patience, and an answer counts only within it (goodput). Admission: as many requests
            on a worker as it runs at once, the others wait at the node or are sent away.
            Recovery: from the end of the load until a request takes no longer than twice what
            it takes on an idle node. Sound, with admission on: goodput under every load of at
            least 1 is 0.9 of the best or more, no worker ever has more than its cap, and all is
            back to normal within 5 s.
            """;

    private static final double LEAST_SHARE = 0.9;
    private static final double LONGEST_RECOVERY_S = 5;

    public OverloadReport {
        rows = List.copyOf(rows);
    }

    @Override
    public boolean sound() {
        double best = admitted().mapToDouble(row -> row.load().goodput()).max().orElse(0);
        return admitted()
                .allMatch(row -> row.load().goodput() >= LEAST_SHARE * best
                        && row.load().peak().onWorker() <= plan.sequences()
                        && row.recoveryS() <= LONGEST_RECOVERY_S);
    }

    private Stream<Row> admitted() {
        return rows.stream().filter(row -> row.admission() && row.factor() >= 1);
    }

    @Override
    public String text() {
        var text = new StringBuilder("%d workers with %d places, capacity %.0f requests/s, patience %.1f s, queue %d%n"
                .formatted(
                        plan.workers(),
                        plan.sequences(),
                        capacity,
                        plan.patience().toMillis() / 1e3,
                        plan.queue()));
        text.append("admission  load  offered/s  goodput/s  p50 ms  p99 ms  most on a worker  node MB  recovery s%n"
                .formatted());
        for (Row row : rows) {
            var load = row.load();
            text.append("%-9s %4.1fx %10.0f %10.1f %7.0f %7.0f %17d %8.0f %11.1f   %s%n"
                    .formatted(
                            row.admission() ? "on" : "off",
                            row.factor(),
                            load.offered(),
                            load.goodput(),
                            load.p50Ms(),
                            load.p99Ms(),
                            load.peak().onWorker(),
                            load.peak().nodeMb(),
                            row.recoveryS(),
                            load.others()));
        }
        return text.toString();
    }

    @Override
    public void writeJson(Path file) throws IOException {
        var json = new ObjectMapper();
        ObjectNode root = json.createObjectNode().put("sound", sound()).put("capacity", capacity);
        root.set("rows", json.valueToTree(rows));
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    }
}
