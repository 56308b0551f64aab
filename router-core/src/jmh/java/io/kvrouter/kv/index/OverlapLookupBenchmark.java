package io.kvrouter.kv.index;

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
 * One walk for a prompt's overlap with 1,024 caches that hold 10 M blocks in all, the prompts in random order. All caches
 * hold the first blocks, 200 those of the application.
 *
 * <p>On 2 cores of a Xeon (Sapphire Rapids) with nothing beside, JDK 25, 2026-11-29, p50 and p99 in us: 1,563 blocks 3.8
 * and 8.3; 6,250 blocks 10.3 and 22.6; 15 blocks 2.2 and 3.4. Nothing is allocated.
 *
 * <pre>mvn -pl router-core test-compile exec:exec -Djmh="OverlapLookup -prof gc"</pre>
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms6g", "-Xmx6g"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class OverlapLookupBenchmark {
    private static final int ASKED = 2_048;

    /** Full blocks of 100,000 tokens in blocks of 64 and of 16, and of 1,000 tokens in blocks of 64. */
    @Param({"1563", "6250", "15"})
    public int blocks;

    private final long[][] chains = new long[ASKED][];
    private final Overlaps overlaps = new Overlaps();
    private KvIndex index = new KvIndex(1, 1);
    private int next;

    @Setup
    public void fill() {
        FilledIndex filled = new FilledIndex(blocks);
        index = filled.index;
        for (int i = 0; i < ASKED; i++) {
            chains[i] = filled.chain((int) ((FilledIndex.mix(i) >>> 1) % filled.prompts()));
        }
    }

    @Benchmark
    public int lookUp() {
        long[] chain = chains[next++ % ASKED];
        index.overlaps(chain, overlaps);
        return overlaps.device(0);
    }
}
