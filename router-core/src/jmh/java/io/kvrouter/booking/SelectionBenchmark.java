package io.kvrouter.booking;

import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.selection.SelectionRequest;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole selection over 1,024 workers: overlap with all caches, cost of each, booking; and the end of an older request,
 * so that always 2,000 are in flight.
 *
 * <p>On 2 cores of a Xeon (Sapphire Rapids) with nothing beside, JDK 25, 2026-11-29, prompts of 100,000 tokens in blocks of
 * 64: p50 29 us, p99 65 us, 307 bytes allocated. About 7 us are the walks and the booking, the rest is the cost of 1,024
 * candidates.
 *
 * <pre>mvn -pl router-core test-compile exec:exec -Djmh="SelectionBenchmark -prof gc"</pre>
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms6g", "-Xmx6g"})
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class SelectionBenchmark {
    private static final int ASKED = 512;
    private static final int IN_FLIGHT = 2_000;

    /** Length of the prompts in tokens. */
    @Param({"100000"})
    public int tokens;

    @Param({"1024"})
    public int workers;

    /** Other nodes whose load is known: with none the exact least cost is taken. */
    @Param({"0"})
    public int peers;

    private final SelectionRequest[] requests = new SelectionRequest[ASKED];
    private final ArrayDeque<ReservationId> running = new ArrayDeque<>();
    private BookingDesk desk = new BookingDesk(BookingSettings.DEFAULT, () -> CacheView.EMPTY, new Random(1));
    private long id;

    @Setup
    public void fill() {
        var filled = new FilledFleet(tokens, workers);
        desk = new BookingDesk(BookingSettings.DEFAULT, filled::view, new Random(1));
        desk.fleet(filled.fleet());
        for (int node = 1; node <= peers; node++) {
            desk.peer(node, LoadSlice.of(new LoadSlice.Head(1, 0, 0, 0), new long[0]));
        }
        for (int i = 0; i < ASKED; i++) {
            Prompt prompt = filled.prompt((int) ((long) i * filled.prompts() / ASKED));
            requests[i] = SelectionRequest.of(FilledFleet.DEMAND, prompt);
        }
        for (int i = 0; i < IN_FLIGHT; i++) {
            select();
        }
    }

    @Benchmark
    public SelectionAnswer selectAndBook() {
        desk.end(running.remove(), 0);
        return select();
    }

    private SelectionAnswer select() {
        id++;
        var reservation = new ReservationId(id);
        running.add(reservation);
        return desk.select(requests[(int) (id * 31 % ASKED)], reservation, 0);
    }
}
