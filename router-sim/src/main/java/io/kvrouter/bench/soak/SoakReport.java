package io.kvrouter.bench.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.bench.soak.leak.Footing;
import io.kvrouter.bench.soak.leak.Leak;
import io.kvrouter.bench.soak.leak.QuietWatch.Quiet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/**
 * What a soak found.
 *
 * @param happened how often what happened, by name
 * @param rounds one after the other
 */
public record SoakReport(SoakPlan plan, SortedMap<String, Long> happened, List<Round> rounds) {
    /** What is said of the figures. */
    public static final String LEGEND = """
            Clients leave their requests at any byte, in order or with a reset, and
            ask again at another node; callers of the selection API die. Workers
            refuse, restart, push back, drain, are deregistered and come back. Nodes
            are killed, stopped for a while, or leave, and start again. Leases are
            3 s and sessions live for 4 s, so that many end by themselves.
            After each round of traffic, within --patience from when its clients have
            gone and the last node that was struck is back:
            - every node sees no load: in total, of each worker, of each other node;
              requests, prefill tokens, decode blocks with those of output, footprint;
              no slice has a row, of workers that are gone neither
            - no request, call, reservation, session actor or binding is left, no
              request in an engine, no metric of a worker or node that is gone
            - open files, threads, actors and objects of turns are no more than after
              the first round, but for what idle pools and caches may differ by
            """;

    /**
     * A round.
     *
     * @param quiet what was left behind it
     * @param footings of the nodes, when nothing was left
     * @param grown what is more than after the first round
     */
    public record Round(Quiet quiet, List<Footing> footings, List<Leak> grown) {
        boolean sound() {
            return quiet.leaks().isEmpty() && grown.isEmpty();
        }
    }

    /** Whether nothing leaked. */
    public boolean sound() {
        return rounds.stream().allMatch(Round::sound);
    }

    /** For people. */
    public String text() {
        var text = new StringBuilder();
        text.append("%d nodes, %d workers, %d clients, %s of traffic, seed %d%n"
                .formatted(plan.nodes(), plan.workers(), plan.clients(), plan.traffic(), plan.seed()));
        happened.forEach((what, count) -> text.append("  %-44s %8d%n".formatted(what, count)));
        for (int i = 0; i < rounds.size(); i++) {
            append(text, i + 1, rounds.get(i));
        }
        text.append(sound() ? "nothing leaked\n" : "LEAKS\n");
        return text.toString();
    }

    private static void append(StringBuilder text, int number, Round round) {
        text.append("round %d: %s after %.1f s%n"
                .formatted(
                        number, round.quiet.leaks().isEmpty() ? "nothing left" : "NOT QUIET", round.quiet.seconds()));
        round.quiet
                .goneAfter()
                .forEach((kind, seconds) -> text.append("  last %-39s %7.1f s%n".formatted(kind, seconds)));
        round.footings.forEach(node -> text.append(
                "  %s: %d open files, %d threads, %d actors, %d series, %d objects of turns, %.0f MB of heap%n"
                        .formatted(
                                node.node(),
                                node.files(),
                                node.threads(),
                                node.actors(),
                                node.series(),
                                node.turns(),
                                node.heapMb())));
        round.quiet.leaks().forEach(leak -> text.append("  LEAK ").append(leak).append('\n'));
        round.grown.forEach(leak -> text.append("  GREW ").append(leak).append('\n'));
    }

    /** For machines. */
    public void writeJson(Path file) throws IOException {
        var json = new ObjectMapper();
        ObjectNode root = json.createObjectNode()
                .put("sound", sound())
                .put("seed", plan.seed())
                .put("nodes", plan.nodes())
                .put("workers", plan.workers())
                .put("clients", plan.clients())
                .put("traffic_s", plan.traffic().toMillis() / 1e3);
        root.set("happened", json.valueToTree(happened));
        var all = root.putArray("rounds");
        for (Round round : rounds) {
            ObjectNode one = all.addObject().put("quiet_s", round.quiet.seconds());
            one.set("gone_after_s", json.valueToTree(round.quiet.goneAfter()));
            one.set("leaks", json.valueToTree(round.quiet.leaks()));
            one.set("nodes", json.valueToTree(round.footings));
            one.set("grown", json.valueToTree(round.grown));
        }
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    }
}
