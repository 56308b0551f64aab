package io.kvrouter.sim.server;

import io.netty.channel.EventLoop;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All that one worker remembers: its engines, connections, log, and what is wrong with it. Confined to its loop. */
final class WorkerCore {
    private static final double LEAST_UPTIME_S = 0.01;
    private static final long NANOS_PER_MS = 1_000_000;

    private final SimSettings settings;
    private final EventLoop loop;
    private final InstantSource clock;
    private final Ranks ranks;
    private final RequestLog log = new RequestLog();
    private final Set<Connection> connections = new LinkedHashSet<>();
    private double startedAtS;
    private boolean refusing;
    private int healthStatus = 200;
    private boolean tokenizes = true;
    private int faultStatus;
    private long faultSinceNanos;
    private long faultForNanos;
    private long completions;

    /** @throws UncheckedIOException naming the port, if one for KV events is in use */
    WorkerCore(SimSettings settings, EventLoop loop, InstantSource clock, Neighbourhood neighbourhood) {
        this.settings = settings;
        this.loop = loop;
        this.clock = clock;
        this.ranks = new Ranks(settings, loop, clock, neighbourhood);
        this.startedAtS = clock.millis() / 1e3;
    }

    SimSettings settings() {
        return settings;
    }

    EventLoop loop() {
        return loop;
    }

    Ranks ranks() {
        return ranks;
    }

    RequestLog log() {
        return log;
    }

    Set<Connection> connections() {
        return connections;
    }

    long nowMs() {
        return clock.millis();
    }

    double startedAtS() {
        return startedAtS;
    }

    int healthStatus() {
        return healthStatus;
    }

    /** The error that completions get at present; 0 for none. */
    int faultStatus() {
        return System.nanoTime() - faultSinceNanos < faultForNanos ? faultStatus : 0;
    }

    /** Different for each completion in the life of the worker object. */
    long nextCompletion() {
        return ++completions;
    }

    /** As a new process in the old one's place: no cache, no connection but the one that asks, a later start time. */
    void restart(List<Connection> spared) {
        ranks.restart();
        resetConnections(spared);
        startedAtS = Math.max(clock.millis() / 1e3, startedAtS + LEAST_UPTIME_S);
    }

    void resetConnections(List<Connection> spared) {
        List.copyOf(connections).stream()
                .filter(connection -> !spared.contains(connection))
                .forEach(Connection::reset);
    }

    /**
     * Whether to take no more work. A client that keeps a connection must not get past a port that refuses: idle ones
     * are closed at once, the others after their answer.
     */
    void refusing(boolean refuses) {
        refusing = refuses;
        if (refuses) {
            List.copyOf(connections).stream().filter(Connection::isIdle).forEach(Connection::close);
        }
    }

    boolean refusing() {
        return refusing;
    }

    void healthStatus(int status) {
        healthStatus = status;
    }

    /** Whether there is a {@code /tokenize}. */
    boolean tokenizes() {
        return tokenizes;
    }

    void withoutTokenize() {
        tokenizes = false;
    }

    /** Completions answer with this status until told otherwise; one below 400 means as usual. */
    void answerWith(int status) {
        answerWith(status, Long.MAX_VALUE / NANOS_PER_MS);
    }

    /** The same for a while. */
    void answerWith(int status, long forMs) {
        faultStatus = status < 400 ? 0 : status;
        faultSinceNanos = System.nanoTime();
        faultForNanos = forMs * NANOS_PER_MS;
    }
}
