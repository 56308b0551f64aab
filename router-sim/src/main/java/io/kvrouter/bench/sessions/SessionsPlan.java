package io.kvrouter.bench.sessions;

import java.time.Duration;
import java.util.Map;

/**
 * What is measured.
 *
 * @param cluster what the load meets
 * @param load what is sent
 * @param times how long
 */
public record SessionsPlan(Cluster cluster, Load load, Times times) {
    private static final int MB = 1 << 20;
    private static final int BASE_MB = 384;
    private static final int SESSIONS_A_MB = 600;

    /**
     * What the load meets.
     *
     * @param heap largest heap of each node as {@code -Xmx} takes it; empty for one that fits the sessions
     * @param settings of each node by full key, over those of the benchmark
     */
    public record Cluster(int nodes, int workers, String heap, Map<String, String> settings) {
        public Cluster {
            atLeast("nodes", nodes, 1);
            atLeast("workers", workers, 1);
            settings = Map.copyOf(settings);
        }
    }

    /**
     * What is sent.
     *
     * @param rate turns a second
     * @param newShare how many of them begin a session, in place of another
     * @param concurrency turns at once while the sessions are made, and while they are checked
     * @param check sessions that are asked for at the end of each fault, of those that had no turn since
     */
    public record Load(int sessions, int rate, double newShare, int concurrency, int check) {
        public Load {
            atLeast("sessions", sessions, 1);
            atLeast("rate", rate, 1);
            atLeast("concurrency", concurrency, 1);
            atLeast("check", check, 0);
            if (!(newShare >= 0 && newShare <= 1)) {
                throw new IllegalArgumentException("new: " + newShare + " (expected: 0 to 1)");
            }
        }
    }

    /**
     * How long.
     *
     * @param before quiet, before each fault
     * @param after quiet, after the cluster is whole again
     * @param pause how long a node is stopped by {@link Fault#PAUSE}
     * @param patience how long the cluster may take to be whole
     */
    public record Times(Duration before, Duration after, Duration pause, Duration patience) {}

    /** The largest heap of a node: about 1.7 KB a session besides what an empty node takes. */
    String heap() {
        return cluster.heap().isEmpty() ? BASE_MB + load.sessions() / SESSIONS_A_MB + "m" : cluster.heap();
    }

    static double megabytes(double bytes) {
        return bytes / MB;
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least " + least + ")");
        }
    }
}
