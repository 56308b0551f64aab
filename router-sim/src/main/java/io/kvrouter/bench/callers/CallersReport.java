package io.kvrouter.bench.callers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.bench.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What each caller got in each phase.
 *
 * @param most requests that one worker had at a time, warm-up included, by the worker's own count
 */
public record CallersReport(CallersPlan plan, List<Row> rows, int most) implements Report {
    /** What is measured, for people. */
    public static final String LEGEND = """
            Each client has its next request as soon as it has an answer; the clients of a caller
            are spread over the nodes in turn. Answers are as long as told, or up to a quarter
            shorter or longer, all lengths as often: if all were alike, places would come free in
            step for ever. Prompts take the workers next to no time.
            The phases: the modest caller alone, with no more clients than half of the places, so
            that none waits; both, with equal shares; both, the modest one with share 3; both with
            one and the same key, which is the control: to the router they are one caller, served
            first come first served. A quarter of a phase's time passes before it is measured, and
            what is answered after its end is not counted.
            answered, /s  good answers in the measured time
            places        of the workers that the caller had on average: its answers a second
                          times the service time, which is the p50 of the modest one alone
            share         of all answers in the phase; as the callers' answers are as long, it is
                          the share of the workers' busy places
            p50, p99      of a request, from its client's last answer to its own last byte
            wait          the same less the service time: p99 has up to a quarter of a service
                          time that is the answer's own length (see the modest one alone)
            failed        any other status than 200, or no answer, all of the phase included
            most          requests that one worker had at a time in the whole run, by its own
                          count at each arrival: exact, not sampled
            Sound: no request failed, no worker ever had more than its cap, and with equal shares
            the modest caller's p50 wait is at most one service time, and less than a quarter of
            what it is in the control. One service time, because requests that run are not cut
            short: who goes next waits until one at its node ends, half a service time on average
            if it has one place, less if it has more.
            Where the modest caller has more clients than half of the places, it has to wait for
            its own, and nothing is said of its waits: its share is what tells.
            """;

    private static final double MS = 1e3;
    private static final double CONTROL_PARTS = 4;

    public CallersReport {
        rows = List.copyOf(rows);
    }

    @Override
    public boolean sound() {
        return most <= plan.sequences()
                && rows.stream().allMatch(row -> row.answered() > 0 && row.failures() == 0)
                && (!plan.modestIsModest() || waitsLittle());
    }

    private boolean waitsLittle() {
        double wait = wait(row(Phase.EQUAL));
        return wait <= serviceMs() && wait < wait(row(Phase.ONE_KEY)) / CONTROL_PARTS;
    }

    /** What a request takes that does not wait. */
    private double serviceMs() {
        return row(Phase.ALONE).p50Ms();
    }

    private double wait(Row row) {
        return row.p50Ms() - serviceMs();
    }

    private double places(Row row) {
        return row.perSecond() * serviceMs() / MS;
    }

    private double share(Row row) {
        int all = rows.stream()
                .filter(one -> one.of().phase() == row.of().phase())
                .mapToInt(Row::answered)
                .sum();
        return all == 0 ? 0 : (double) row.answered() / all;
    }

    /** Of the modest caller. */
    private Row row(Phase phase) {
        var key = new Row.Key(phase, Party.MODEST);
        return rows.stream().filter(row -> row.of().equals(key)).findAny().orElseThrow();
    }

    @Override
    public String text() {
        var text = new StringBuilder(summary());
        text.append("phase               caller  clients  answered     /s  places  share"
                + "  p50 ms  p99 ms  wait p50     p99  failed\n");
        rows.forEach(row -> text.append(line(row)));
        return text.toString();
    }

    private String summary() {
        return String.format(
                Locale.ROOT,
                "%d nodes, %d workers with %d places each, about %d tokens an answer: service time %.0f ms;"
                        + " most on a worker: %d%n",
                plan.nodes(),
                plan.workers(),
                plan.sequences(),
                plan.tokens(),
                serviceMs(),
                most);
    }

    private String line(Row row) {
        return String.format(
                Locale.ROOT,
                "%-19s %-7s %7d %9d %6.1f %7.2f %5.1f%% %7.0f %7.0f %9.0f %7.0f  %d%s%n",
                row.of().phase().title(),
                row.of().party(),
                plan.clients(row.of().phase(), row.of().party()),
                row.answered(),
                row.perSecond(),
                places(row),
                100 * share(row),
                row.p50Ms(),
                row.p99Ms(),
                wait(row),
                row.p99Ms() - serviceMs(),
                row.failures(),
                row.failed().isEmpty() ? "" : " " + row.failed());
    }

    @Override
    public void writeJson(Path file) throws IOException {
        var json = new ObjectMapper();
        ObjectNode root = json.createObjectNode()
                .put("sound", sound())
                .put("service_ms", serviceMs())
                .put("most", most)
                .put("cap", plan.sequences());
        var all = root.putArray("rows");
        for (Row row : rows) {
            all.addObject()
                    .put("phase", row.of().phase().title())
                    .put("caller", row.of().party().toString())
                    .put("clients", plan.clients(row.of().phase(), row.of().party()))
                    .put("answered", row.answered())
                    .put("per_s", row.perSecond())
                    .put("places", places(row))
                    .put("share", share(row))
                    .put("p50_ms", row.p50Ms())
                    .put("p99_ms", row.p99Ms())
                    .put("wait_p50_ms", wait(row))
                    .put("wait_p99_ms", row.p99Ms() - serviceMs())
                    .set("failed", json.valueToTree(row.failed()));
        }
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    }
}
