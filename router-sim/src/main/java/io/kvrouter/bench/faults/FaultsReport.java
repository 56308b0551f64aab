package io.kvrouter.bench.faults;

import io.kvrouter.bench.faults.client.Tally;
import java.util.List;
import java.util.Map;

/**
 * What came of it.
 *
 * @param storm what clients got while there were faults
 * @param after what requests got that were no 200 once all was well again
 * @param ended calls, load and sessions came to zero
 * @param left what the process holds more of than before
 * @param log errors and exceptions
 * @param told faults and the node's own counts
 */
public record FaultsReport(
        Tally storm,
        Map<String, Long> after,
        boolean ended,
        Map<String, Long> left,
        List<String> log,
        Map<String, Long> told) {

    /** Nothing failed that was not made to, and nothing is left. */
    public boolean sound() {
        return storm.uncaused().isEmpty()
                && storm.stuck() == 0
                && !storm.counts().containsKey("500 internal_error")
                && after.isEmpty()
                && ended
                && left.isEmpty()
                && log.isEmpty();
    }

    public String text() {
        var text = new StringBuilder();
        text.append("%d requests while there were faults:\n".formatted(storm.requests()));
        lines(text, storm.counts());
        text.append("the faults, and what the node made of them:\n");
        lines(text, told);
        text.append("failures that no fault explains: %s\n".formatted(storm.uncaused()));
        text.append("not served once all was well again: %s\n".formatted(after));
        text.append("calls, load and sessions at the end: %s\n".formatted(ended ? "none" : "NOT NONE"));
        text.append("left behind: %s\n".formatted(left));
        text.append("errors in the log: %s\n".formatted(log));
        return text.toString();
    }

    private static void lines(StringBuilder text, Map<String, Long> counts) {
        counts.forEach((what, count) -> text.append("  %-50s %d\n".formatted(what, count)));
    }
}
