package io.kvrouter.kv.index;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an index of 1,024 caches and 10 M blocks takes of the heap: the difference after full collections.
 *
 * <p>JDK 25, bytes a (cache, block) pair on the heap, and by the index's own account: prompts of 1,563 blocks 26.4 and
 * 26.3, of 6,250 blocks 27.4 and 27.2, of 15 blocks 45.3 and 45.0, chains of one block 150 and 149.
 *
 * <pre>mvn -pl router-core test-compile exec:exec -Djmh="Footprint -p blocks=1563,1"</pre>
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms6g", "-Xmx6g"})
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class FootprintBenchmark {
    @Param({"1563", "6250", "15"})
    public int blocks;

    /** Figures besides the time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Figures {
        public double heapBytesPerPair;
        public double accountedBytesPerPair;
        public double heapBytesPerBlock;
        public long pairs;
        public long runs;
    }

    @Benchmark
    public KvIndex fill(Figures figures) {
        long before = heap();
        FilledIndex filled = new FilledIndex(blocks);
        KvIndex index = filled.index;
        double taken = heap() - before;
        figures.pairs = index.blocks();
        figures.runs = index.runs();
        figures.heapBytesPerPair = taken / index.blocks();
        figures.accountedBytesPerPair = (double) index.bytes() / index.blocks();
        figures.heapBytesPerBlock = taken / 10_000_000;
        return index;
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
