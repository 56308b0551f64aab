package io.kvrouter.bench.sessions;

import io.kvrouter.bench.Report;
import io.kvrouter.bench.Samples;
import io.kvrouter.bench.cluster.Buckets;
import io.kvrouter.bench.sessions.PhaseResult.Inside;
import io.kvrouter.bench.sessions.load.Changes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The result of a {@link SessionsBench} as tables for people, and as JSON. */
public final class SessionsReport implements Report {
    private static final double MS = 1e6;
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double MOST = 100;

    /** What each figure is; the command's help says it too. */
    public static final String LEGEND = """
            resolve: a node's own time from a request read until its worker is decided and booked; p50 and p99 within
              histogram buckets, most = upper bound of the last bucket with any.
            ask: until a session's actor answered, late answers included; local = it lives on the asking node.
            unheard: decisions that waited for their actor for their whole budget in vain; unaw.: that did not wait.
            client: from when a turn was due to its answer's last byte, raw samples, those of the struck node apart.
            failed: turns without status 200 through nodes that lived; lost: in flight on the node that died;
              refused: connects that a dead node refused, whose turns went to another node.
            CPU us/turn: of all nodes that lived, per answered turn; bench s: CPU of load generator and workers.
            whole again: every living node sees just the living ones up, and every shard has a home.
            silent shards: actors not heard, from when one was first missed until all had answered again.
            changed worker: a session's turn went elsewhere than its last one; rebound: one rebound decision said so;
              silently: none did; unheard: the turn before was unbound, as its actor was not heard;
              young: bound less than 1 s before the fault; later: bound only after it;
              forgotten: got a first turn's decision, though bound for longer.
            memory: heap in use after a full collection at the end, all in, over all sessions of the cluster; added: without
              what an empty node takes.
            """;

    private final SessionsResult result;
    private final String machine;

    SessionsReport(SessionsResult result) {
        this.result = result;
        this.machine = "%d cores, JDK %s, %s %s %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("java.vm.version", "?"),
                        System.getProperty("os.name", "?"),
                        System.getProperty("os.version", "?"),
                        System.getProperty("os.arch", "?"));
    }

    /** Whether no request failed through a living node, and at most 0.01 % of the sessions lost their worker. */
    @Override
    public boolean sound() {
        return result.sound();
    }

    /** All tables, what they mean, and the machine. */
    @Override
    public String text() {
        var text = new StringBuilder();
        var plan = result.plan();
        text.append(String.format(
                Locale.ROOT,
                "%n%d nodes with -Xmx%s, %d workers, %d sessions, %d turns/s, %.1f %% of them first turns%n",
                plan.cluster().nodes(),
                plan.heap(),
                plan.cluster().workers(),
                plan.load().sessions(),
                plan.load().rate(),
                plan.load().newShare() * 100));
        text.append("machine: ").append(machine).append('\n');
        memory(text);
        phases(text);
        result.faults().forEach(fault -> fault(text, fault));
        text.append('\n');
        text.append(LEGEND);
        return text.toString();
    }

    private void memory(StringBuilder text) {
        int sessions = result.plan().load().sessions();
        text.append(String.format(
                Locale.ROOT,
                "%n%-12s %9s %9s %12s %12s %9s%n",
                "memory",
                "empty MB",
                "full MB",
                "B/session",
                "added B/s.",
                "RSS MB"));
        for (NodeMemory node : result.memory()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-12s %9.1f %9.1f %12.0f %12.0f %9.1f%n",
                    node.node(),
                    SessionsPlan.megabytes(node.emptyHeapBytes()),
                    SessionsPlan.megabytes(node.heapBytes()),
                    node.heapPerSession(sessions),
                    node.addedPerSession(sessions),
                    SessionsPlan.megabytes(node.residentBytes())));
        }
    }

    private void phases(StringBuilder text) {
        text.append(String.format(
                Locale.ROOT,
                "%n%-14s %6s %8s %6s | %-23s | %-23s | %-23s | %-23s | %-15s | %s%n",
                "",
                "s",
                "turns",
                "failed",
                "resolve p50  p99  most",
                "ask local p50 p99 most",
                "remote p50   p99  most",
                "client p50   p99   max",
                "unheard unaw.",
                "CPU us/turn, bench s, GC s"));
        text.append(phase(result.fill()));
        result.phases().forEach(phase -> text.append(phase(phase)));
        text.append("times in ms\n");
    }

    private static String phase(PhaseResult phase) {
        Inside inside = phase.inside();
        Samples client = phase.turns().answered();
        return String.format(
                Locale.ROOT,
                "%-14s %6.1f %8d %6d | %s | %s | %s | %7.2f %7.2f %7.0f | %7.0f %7.0f | %7.0f %7.1f %7.2f%n",
                phase.name(),
                phase.seconds(),
                phase.turns().succeeded(),
                phase.turns().failed(),
                three(inside.resolve()),
                three(inside.local()),
                three(inside.remote()),
                client.percentile(P50) / MS,
                client.percentile(P99) / MS,
                client.percentile(MOST) / MS,
                inside.timeouts(),
                inside.unawaited(),
                phase.nodeCpuMicrosPerTurn(),
                phase.cpuSeconds().getOrDefault(PhaseResult.BENCH, 0.0),
                inside.gcSeconds());
    }

    private static String three(Buckets times) {
        return String.format(
                Locale.ROOT, "%7.2f %7.2f %7.1f", times.percentileMs(P50), times.percentileMs(P99), times.mostMs());
    }

    private void fault(StringBuilder text, FaultResult fault) {
        var silence = fault.silence();
        text.append(String.format(
                Locale.ROOT,
                "%n%s of %s: whole again after %.1f s; silent shards: from %.1f to %.1f s, up to %d%n",
                fault.fault().title(),
                fault.node(),
                fault.healedSeconds(),
                silence.fromSeconds(),
                silence.untilSeconds(),
                silence.most()));
        text.append(changes(fault.changes()));
        text.append(String.format(
                Locale.ROOT,
                "  workers' own logs: %d turns, %d of them not where the client's last answer came from%n",
                fault.logs().turns(),
                fault.logs().contradictions()));
        result.phases().stream()
                .filter(phase -> phase.name().startsWith(fault.fault().title()))
                .forEach(phase -> text.append(turns(phase)));
    }

    private static String changes(Changes changes) {
        return String.format(
                Locale.ROOT,
                "  %d sessions asked for; changed worker: %d rebound, %d silently, %d unheard, %d young, %d later;"
                        + " %d forgotten%n",
                changes.asked(),
                changes.rebound(),
                changes.silent(),
                changes.unheard(),
                changes.young(),
                changes.later(),
                changes.forgotten());
    }

    private static String turns(PhaseResult phase) {
        var turns = phase.turns();
        Map<String, Long> decisions = new TreeMap<>(turns.decisions());
        return String.format(
                Locale.ROOT,
                "  %s: %s, failed %s, lost %d, refused %d, of the struck node %d (max %.0f ms)%n",
                phase.name(),
                decisions,
                turns.failures(),
                turns.lostWithNode(),
                turns.refusedConnects(),
                turns.held().count(),
                turns.held().percentile(MOST) / MS);
    }

    /** Writes everything that was measured. */
    @Override
    public void writeJson(Path file) throws IOException {
        new SessionsJson(result, machine).write(file);
    }
}
