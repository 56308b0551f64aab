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
 * <p>On 2 cores of a Xeon (Sapphire Rapids) with nothing beside, JDK 25, 2026-11-30, prompts of 100,000 tokens in blocks
 * of 64, the same 10 million blocks on all of them:
 *
 * <pre>
 * workers    p50     p99   allocated
 *      64   4.5 us   7 us  224 bytes
 *     256   8.4 us  15 us  288 bytes
 *    1024    26 us  59 us  248 bytes
 * </pre>
 *
 * <p>About 4 us are the walks and the booking, the rest is the cost of each candidate, 22 ns. What is allocated is the
 * booking, and does not grow with the fleet ({@code -bm avgt}: sampling allocates itself).
 *
 * <pre>mvn -pl router-core test-compile exec:exec -Djmh="SelectionBenchmark -p workers=64,256,1024 -prof gc"</pre>
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
    private static final long REMEMBERED = 300_000;

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
        for (long ended = 1; ended <= REMEMBERED; ended++) {
            desk.end(new ReservationId(-ended >>> 1), 0); // else the memory of ends grows while it is measured
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
