package io.kvrouter.bench.callers;

import java.time.Duration;

/**
 * Who asks whom, and for how long.
 *
 * @param nodes of the cluster
 * @param workers simulated ones
 * @param sequences that each of them runs at once: its cap
 * @param greedy clients of the greedy caller
 * @param modest clients of the modest one
 * @param tokens of an answer on average, at some 6 ms each
 * @param time of each phase
 */
public record CallersPlan(int nodes, int workers, int sequences, int greedy, int modest, int tokens, Duration time) {
    private static final int RAMP_PARTS = 4;
    private static final int SPREAD_PARTS = 4;

    public CallersPlan {
        require(nodes >= 1, "nodes: " + nodes + " (expected: >= 1)");
        require(workers >= 1, "workers: " + workers + " (expected: >= 1)");
        require(sequences >= 1, "sequences: " + sequences + " (expected: >= 1)");
        require(modest >= 1, "modest: " + modest + " clients (expected: >= 1)");
        require(tokens >= 1, "tokens: " + tokens + " (expected: >= 1)");
        require(time.toMillis() >= 500, "time: " + time + " (expected: >= 0.5 s)");
        int places = workers * sequences;
        require(
                greedy > places,
                "greedy: " + greedy + " clients (expected: more than the workers' places, " + places + ")");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Requests that the workers run at once. */
    int places() {
        return workers * sequences;
    }

    /** Alone, the modest caller has no more of them than find a place at once. */
    int clients(Phase phase, Party party) {
        int all = party == Party.GREEDY ? greedy : modest;
        return phase == Phase.ALONE ? Math.min(all, Math.max(1, places() / 2)) : all;
    }

    /** Whether the modest caller asks for no more than half of all, so that with equal shares it has what it asks for. */
    boolean modestIsModest() {
        return 2 * modest <= places();
    }

    /** By how many tokens answers are shorter and longer: were all alike, places would go on in step as they began. */
    int spread() {
        return tokens / SPREAD_PARTS;
    }

    /** For which a phase goes on before anything is measured: until then the clients that came first are ahead. */
    Duration rampUp() {
        return time.dividedBy(RAMP_PARTS);
    }
}
