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
    private long comparedTokens;
    private long idealTokens;
    private long foundTokens;
    private long toldTokens;
    private long misjudgedTokens;
    private long moves;
    private long movedSessions;

    /** The first token came. */
    void begun(long untilFirstNanos) {
        firstNanos.add(untilFirstNanos);
    }

    void answered(double seconds, int tokens) {
        turns++;
        turnSeconds += seconds;
        promptTokens += tokens;
    }

    /** What a worker found of a prompt, and what was possible: always of the same turns. */
    void cached(int tokens, int ideal, int found) {
        comparedTokens += tokens;
        idealTokens += ideal;
        foundTokens += found;
    }

    /** What a node expected a worker to find of a prompt, against what it found. */
    void told(int tokens, int expected, int found) {
        toldTokens += tokens;
        misjudgedTokens += Math.abs(expected - found);
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

    /** Of answered turns, in tokens of the sessions. */
    public long promptTokens() {
        return promptTokens;
    }

    /** Of answered turns whose usage told what was cached. */
    public long comparedTokens() {
        return comparedTokens;
    }

    /** Those of them that the workers had. */
    public long foundTokens() {
        return foundTokens;
    }

    /** Those of them that a cache without bounds has. */
    public long idealTokens() {
        return idealTokens;
    }

    /** Of answered turns for which the node told what it expected to be cached. */
    public long toldTokens() {
        return toldTokens;
    }

    /** By how much it was wrong, either way, over those turns. */
    public long misjudgedTokens() {
        return misjudgedTokens;
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
