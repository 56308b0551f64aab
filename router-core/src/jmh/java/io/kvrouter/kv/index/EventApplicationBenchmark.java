package io.kvrouter.kv.index;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Blocks a second that one writer applies to an index of 10 M blocks, while others look up without pause: events of 128
 * blocks, prompts of 1,563 blocks that share their first 300 with others; chained hashes are computed, as for events.
 *
 * <p>On 2 cores of a Xeon (Sapphire Rapids) with nothing beside, JDK 25, 2026-11-29, ns for a block by the clock: stored 100
 * alone, 85 beside one reader (12 M blocks a second), 197 beside four, which leave the writer less than half a core. Its
 * processor time is 77 to 93 ns; stored and removed 145, whatever the readers.
 *
 * <pre>mvn -pl router-core test-compile exec:exec -Djmh=EventApplication</pre>
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms6g", "-Xmx6g"})
@Warmup(iterations = 8)
@Measurement(iterations = EventApplicationBenchmark.ITERATIONS)
public class EventApplicationBenchmark {
    static final int ITERATIONS = 12;
    private static final int LENGTH = 1_563;
    private static final int PROMPTS = 1_000;
    private static final int BLOCKS = LENGTH * PROMPTS;

    @Param({"0", "1", "4"})
    public int readers;

    /** The writer's own processor time: on a busy machine it says more than the clock. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Processor {
        private long begun;
        public double cpuNanosPerBlock;

        void begin() {
            begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        void end() {
            long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun;
            cpuNanosPerBlock = (double) used / BLOCKS / ITERATIONS; // which are summed
        }
    }

    private final long[][] blocks = new long[PROMPTS][];
    private final long[][] engineHashes = new long[PROMPTS][];
    private final List<KvCache> caches = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    @Setup
    public void fill() {
        FilledIndex filled = new FilledIndex(LENGTH);
        for (int i = 0; i < PROMPTS; i++) {
            blocks[i] = filled.blocks(filled.prompts() + i);
            engineHashes[i] = FilledIndex.engineHashes(i, blocks[i]);
            caches.add(filled.caches[i]);
        }
        for (int i = 0; i < readers; i++) {
            threads.add(Thread.ofPlatform().daemon().start(() -> lookUp(filled)));
        }
    }

    private static void lookUp(FilledIndex filled) {
        Overlaps overlaps = new Overlaps();
        long[][] chains = new long[256][];
        for (int i = 0; i < chains.length; i++) {
            chains[i] = filled.chain(i * 29);
        }
        for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
            filled.index.overlaps(chains[i % chains.length], overlaps);
        }
    }

    /** Each call finds the index as it was filled. */
    @TearDown(Level.Invocation)
    public void removeAgain() {
        for (int i = 0; i < PROMPTS; i++) {
            caches.get(i).remove(Tier.DEVICE, engineHashes[i]);
        }
    }

    @TearDown
    public void stop() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BLOCKS)
    public void store(Processor processor) {
        processor.begin();
        for (int i = 0; i < PROMPTS; i++) {
            FilledIndex.store(caches.get(i), engineHashes[i], blocks[i]);
        }
        processor.end();
    }

    @Benchmark
    @OperationsPerInvocation(BLOCKS)
    public void storeAndRemove(Processor processor) {
        processor.begin();
        for (int i = 0; i < PROMPTS; i++) {
            FilledIndex.store(caches.get(i), engineHashes[i], blocks[i]);
            caches.get(i).remove(Tier.DEVICE, engineHashes[i]);
        }
        processor.end();
    }
}
