package io.kvrouter.bench.sessions.load;

import io.kvrouter.bench.Samples;
import io.kvrouter.bench.client.Head;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** What became of the turns of one phase, as the client sees it. Filled by one thread, read when it is over. */
public final class Tally {
    private final Nanos answered = new Nanos();
    private final Nanos held = new Nanos();
    private final Map<String, Long> decisions = new TreeMap<>();
    private final Map<String, Long> failures = new TreeMap<>();
    private long lost;
    private long refused;

    /** An answer came whole. Those that the struck node had in its hands are apart. */
    void answered(Head head, long nanos, boolean struck) {
        if (head.good()) {
            (struck ? held : answered).add(nanos);
            decisions.merge(head.decision(), 1L, Long::sum);
        } else {
            failed("status " + head.status());
        }
    }

    void failed(String why) {
        failures.merge(why, 1L, Long::sum);
    }

    /** It was on the very node that died. */
    void lost() {
        lost++;
    }

    /** A node did not take the connection: the turn goes to another one. */
    void refused() {
        refused++;
    }

    /** Turns answered with success, over the nodes that the fault did not strike. */
    public Samples answered() {
        return answered.samples();
    }

    /** The same, of the node that was struck. */
    public Samples held() {
        return held.samples();
    }

    public long succeeded() {
        return (long) answered.count + held.count;
    }

    /** Turns by {@code x-router-decision}. */
    public Map<String, Long> decisions() {
        return Map.copyOf(decisions);
    }

    /** Turns without a good answer from a node that lived, by what they got. */
    public Map<String, Long> failures() {
        return Map.copyOf(failures);
    }

    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Turns that were on the node which died. */
    public long lostWithNode() {
        return lost;
    }

    /** Connects to a node that was gone; their turns went to another. */
    public long refusedConnects() {
        return refused;
    }

    /** Samples as they come. */
    private static final class Nanos {
        private long[] values = new long[1024];
        private int count;

        void add(long nanos) {
            if (count == values.length) {
                values = Arrays.copyOf(values, count * 2);
            }
            values[count++] = nanos;
        }

        Samples samples() {
            return Samples.of(Arrays.copyOf(values, count));
        }
    }
}
