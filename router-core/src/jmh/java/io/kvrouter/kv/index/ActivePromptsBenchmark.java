package io.kvrouter.kv.index;

import io.kvrouter.kv.BlockHashes;
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
 * 5,000 prompts in flight on 1,024 workers, each of 111 marks (100,000 tokens in blocks of 64) that share their first 20
 * with all others and 20 more with every 32nd.
 *
 * <p>On 2 cores of a Xeon (Sapphire Rapids) that were shared with ten other processes, JDK 25, p50 and p99 in us: one comes
 * and one goes 0.6 and 1.2; a look-up, which tells of 1,000 workers, 2.9 and 3.7.
 *
 * <pre>mvn -pl router-core test-compile exec:exec -Djmh=ActivePrompts</pre>
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ActivePromptsBenchmark {
    private static final int WORKERS = 1_024;
    private static final int IN_FLIGHT = 5_000;
    private static final int KNOWN = 8_192;
    private static final int MARKS = 111;

    private final ActivePrompts active = new ActivePrompts();
    private final Overlaps overlaps = new Overlaps();
    private final long[][] chains = new long[KNOWN][];
    private final int[] workers = new int[KNOWN];
    private int next;

    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(3);
        for (int prompt = 0; prompt < KNOWN; prompt++) {
            long[] blocks = new long[MARKS];
            for (int i = 0; i < MARKS; i++) {
                blocks[i] = i < 20 ? -1 : i < 40 ? prompt % 32 : prompt + 1_000L;
            }
            chains[prompt] = BlockHashes.chain(blocks);
            workers[prompt] = random.nextInt(WORKERS);
        }
        for (next = 0; next < IN_FLIGHT; next++) {
            active.hold(workers[next], chains[next]);
        }
    }

    /** A new prompt comes, the oldest goes. */
    @Benchmark
    public int holdAndRelease() {
        int fresh = next % KNOWN;
        int oldest = (next - IN_FLIGHT) % KNOWN;
        next++;
        return active.hold(workers[fresh], chains[fresh]) + active.release(workers[oldest], chains[oldest]);
    }

    @Benchmark
    public int lookUp() {
        active.overlaps(chains[next++ % KNOWN], overlaps);
        return overlaps.device(0);
    }
}
