package io.kvrouter.session;

import io.kvrouter.session.replica.ReplicaTable;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One of the 1,024 tables of a million sessions: 1,000 rows.
 *
 * <pre>mvn -pl router-core test-compile exec:exec -Djmh=BindingTable</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class BindingTableBenchmark {
    private static final int ROWS = 1_000;

    private final List<BindingRow> rows = new ArrayList<>();
    private BindingTable table = BindingTable.EMPTY;
    private BindingTable newer = BindingTable.EMPTY;
    private ReplicaTable replica = ReplicaTable.EMPTY;
    private int next;

    @Setup
    public void fill() {
        var random = new SplittableRandom(5);
        for (int i = 0; i < ROWS; i++) {
            rows.add(row(new SessionKey(random.nextLong(), 1), 1));
        }
        table = BindingTable.of(0, rows);
        newer = table.merge(BindingTable.of(row(rows.get(0).key(), 2)));
        replica = ReplicaTable.EMPTY.merge(table);
    }

    private static BindingRow row(SessionKey key, long version) {
        return new BindingRow(key, version, new WorkerId("w" + (key.high() & 15)), 0, 1_000_000 + version);
    }

    private SessionKey key() {
        next = (next + 1) % ROWS;
        return rows.get(next).key();
    }

    @Benchmark
    public Optional<BindingRow> lookUp() {
        return replica.row(key());
    }

    /** What a session's actor pays for a row. */
    @Benchmark
    public ReplicaTable publish() {
        return replica.with(row(key(), 3));
    }

    /** What the replication pays for it, on each node. */
    @Benchmark
    public BindingTable mergeOneRow() {
        return table.merge(BindingTable.of(row(key(), 3)));
    }

    /** What the replica pays when the replication tells of a change. */
    @Benchmark
    public ReplicaTable notice() {
        return replica.merge(newer);
    }

    @Benchmark
    public boolean due() {
        return replica.due(1_000);
    }

    @Benchmark
    public int live() {
        return replica.live(1_000);
    }
}
