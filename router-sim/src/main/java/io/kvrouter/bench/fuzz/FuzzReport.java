package io.kvrouter.bench.fuzz;

import java.util.List;
import java.util.Map;

/**
 * What became of mutated requests.
 *
 * @param ends how their connections ended
 * @param ended calls and load came to zero
 * @param bad the first requests, with their answers, at which the router failed or stuck
 * @param log errors and exceptions
 */
public record FuzzReport(Map<End, Long> ends, boolean ended, List<String> bad, List<String> log) {
    /** The router failed at none, and nothing is left of them. */
    public boolean sound() {
        return count(End.FAILED) == 0 && count(End.STUCK) == 0 && ended && log.isEmpty();
    }

    private long count(End end) {
        return ends.getOrDefault(end, 0L);
    }

    public String text() {
        return "answered %d, closed without an answer %d, still waiting when left %d, the router failed %d, stuck %d\n"
                        .formatted(
                                count(End.ANSWERED),
                                count(End.CLOSED),
                                count(End.WAITED),
                                count(End.FAILED),
                                count(End.STUCK))
                + "calls and load at the end: %s\n".formatted(ended ? "none" : "NOT NONE")
                + String.join("", bad)
                + "errors in the log: %s\n".formatted(log);
    }
}
