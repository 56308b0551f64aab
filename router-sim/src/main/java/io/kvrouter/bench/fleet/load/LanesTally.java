package io.kvrouter.bench.fleet.load;

import com.carrotsearch.hppc.LongArrayList;
import io.kvrouter.bench.Samples;
import java.util.Map;
import java.util.TreeMap;

/** What became of turns in one stretch of time. Filled by one thread, read when it is over. */
public final class LanesTally {
    private final LongArrayList firstNanos = new LongArrayList();
    private final Map<String, Long> failures = new TreeMap<>();
    private long turns;
    private double turnSeconds;
    private long promptTokens;
    private long idealTokens;
    private long moves;
    private long movedSessions;

    /**
     * The first token came: at about that time the engine looked for the prompt in its cache, so that what it found and
     * what was possible are of the same turns.
     */
    void begun(long untilFirstNanos, int tokens, int ideal) {
        firstNanos.add(untilFirstNanos);
        promptTokens += tokens;
        idealTokens += ideal;
    }

    void answered(double seconds) {
        turns++;
        turnSeconds += seconds;
    }

    void failed(String why) {
        failures.merge(why, 1L, Long::sum);
    }

    /** @param first of its session */
    void moved(boolean first) {
        moves++;
        movedSessions += first ? 1 : 0;
    }

    /** From when each turn was due until its first token. */
    public Samples firstTokens() {
        return Samples.of(firstNanos.toArray());
    }

    /** Turns answered with success. */
    public long turns() {
        return turns;
    }

    /** All of their times together, from when each was due until its end. */
    public double turnSeconds() {
        return turnSeconds;
    }

    /** Of the turns whose first token came, in tokens of the sessions. */
    public long promptTokens() {
        return promptTokens;
    }

    /** Those of them that a cache without bounds has. */
    public long idealTokens() {
        return idealTokens;
    }

    /** Turns that another worker answered than their session's turn before. */
    public long moves() {
        return moves;
    }

    /** Sessions whose first move this was. */
    public long movedSessions() {
        return movedSessions;
    }

    /** Turns without a good answer, by what they got. */
    public Map<String, Long> failures() {
        return Map.copyOf(failures);
    }

    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }
}
